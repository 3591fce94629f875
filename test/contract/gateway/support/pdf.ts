const LATIN = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

/** A font that does not say itself what its characters are: its encoding does, one of Adobe's CMaps. */
export function asianFont(encoding: string, ordering: string): string {
  return (
    `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /${encoding} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 ` +
    `/BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor ` +
    "/FontName /Song /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>"
  );
}

/** A small real PDF; a line feed in the text of a page begins another line, and `<…>` is a line of bytes in hexadecimal. */
export function makePdf(pages: string[], info: Record<string, string>, font = LATIN): Uint8Array {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const entries = Object.entries(info)
    .map(([name, value]) => `/${name} (${value})`)
    .join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font,
    ...pages.flatMap((text, index) => {
      const content = text === "" ? "" : `BT /F1 12 Tf 72 700 Td ${stringsOf(text)} Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
    `<< ${entries} >>`,
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}`;
  return Buffer.from(
    `${file}${table}trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${file.length}\n%%EOF`,
  );
}

function stringsOf(text: string): string {
  return text
    .split("\n")
    .map((line) => (/^<[\da-f]+>$/.test(line) ? line : `(${line})`))
    .join(" Tj 0 -14 Td ");
}
