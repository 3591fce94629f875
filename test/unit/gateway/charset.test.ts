import { describe, expect, it } from "vitest";
import { decodeText } from "../../../src/gateway/extract/charset.ts";

const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe("the charset of a page", () => {
  it.each<[string, Uint8Array, string | undefined, string]>([
    ["is UTF-8 where the bytes are", Buffer.from("naïve café"), undefined, "naïve café"],
    ["is windows-1252 where they are not", latin("caf\xe9 \x93quoted\x94"), undefined, "café “quoted”"],
    ["comes from the header", latin("\xd0\xd2\xc9"), "koi8-r", "при"],
    ["comes from the header before the page", latin('<meta charset="utf-8">\xe9'), "iso-8859-1", '<meta charset="utf-8">é'],
    ["comes from meta charset", latin("<meta charset=windows-1251>\xef\xf0\xe8"), undefined, "<meta charset=windows-1251>при"],
    [
      "comes from meta http-equiv",
      latin('<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">\x93\xfa'),
      undefined,
      '<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">日',
    ],
    [
      "comes from an XML declaration",
      latin('<?xml version="1.0" encoding="ISO-8859-2"?>\xb1'),
      undefined,
      '<?xml version="1.0" encoding="ISO-8859-2"?>ą',
    ],
    ["is not taken from a comment", Buffer.from("<!-- <meta charset=koi8-r> -->é"), undefined, "<!-- <meta charset=koi8-r> -->é"],
    ["comes from a byte order mark before everything", Buffer.from("\ufeff<meta charset=koi8-r>é"), "koi8-r", "<meta charset=koi8-r>é"],
    ["comes from a UTF-16 mark", Buffer.concat([latin("\xff\xfe"), Buffer.from("日本", "utf16le")]), undefined, "日本"],
    ["comes from a big-endian UTF-16 mark", latin("\xfe\xff\x65\xe5"), undefined, "日"],
    ["is UTF-8 where meta claims UTF-16", Buffer.from("<meta charset=utf-16>é"), undefined, "<meta charset=utf-16>é"],
    ["is found again where a label means nothing", Buffer.from("é"), "x-no-such-charset", "é"],
    [
      "is EUC-KR where the page says so",
      Buffer.concat([latin("<meta charset=euc-kr>"), latin("\xc7\xd1")]),
      undefined,
      "<meta charset=euc-kr>한",
    ],
    ["is GBK where the header says so", latin("\xd6\xd0"), "gb2312", "中"],
  ])("%s", (_, bytes, header, text) => expect(decodeText(bytes, header, "html")).toBe(text));

  it("is not looked for in plain text", () =>
    expect(decodeText(latin("<meta charset=koi8-r>\xe9"), undefined, "none")).toBe("<meta charset=koi8-r>é"));
});
