/** A DOI anywhere in a text or URL, in lower case and without the resolver's address. */
export function findDoi(text: string): string | undefined {
  const plain = text.includes("%") ? decodeSafely(text) : text;
  const found = /(?:^|doi\.org\/|doi:\s*|\s|\/|=)(10\.\d{4,9}\/[^\s"<>?#&]+)/i.exec(plain)?.[1];
  return found?.replace(/[.,;)\]]+$/, "").toLowerCase();
}

/** An arXiv id (new or old form, without version) in an id, an arXiv URL or an arXiv DOI. */
export function findArxivId(text: string): string | undefined {
  const found =
    /^(?:arxiv:\s*)?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d+)?$/i.exec(text.trim())?.[1] ??
    /^https?:\/\/(?:www\.|export\.)?arxiv\.org\/(?:abs|pdf|html)\/(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d+)?(?:\.pdf)?(?:[?#].*)?$/i.exec(
      text,
    )?.[1] ??
    /10\.48550\/arxiv\.(\d{4}\.\d{4,5})/i.exec(text)?.[1];
  return found?.toLowerCase();
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
