import { compareSignatures, signText } from "../store/text-signature.ts";
import { dropElements, dropTags, readTitle } from "./markup.ts";

/** Share of common text from which a page is taken for the site's answer to addresses that do not exist. */
const SAME_ANSWER = 0.9;
/** An error page says little else. */
const SHORT_TEXT = 1_500;
const MISSING_TITLE =
  /^\W*(error\W*)?404\b|\b404\W+(error|not found|page)|\b(page|site|file|content) (was |could )?(not|n[o']t be) found\b|^\W*not found\W*$|seite (wurde )?nicht gefunden|page (non trouvée|introuvable)|página no encontrada|pagina non trovata|页面不存在|ページが見つかりません/iu;

/** Whether a page that was served with status 200 says of itself that it does not exist. */
export function saysMissing(title: string | undefined, text: string): boolean {
  return text.length < SHORT_TEXT && title !== undefined && MISSING_TITLE.test(title);
}

/** What a site answers to an address that cannot exist. */
export interface MissingAnswer {
  title: string;
  text: string;
  signature: string | undefined;
}

/** The answer's title and plain text, from its HTML; without the address, which such pages like to repeat. */
export function describeAnswer(html: string, url: string): MissingAnswer {
  const text = dropTags(dropElements(html, ["script", "style", "noscript", "template"]))
    .replaceAll(url, " ")
    .replaceAll(new URL(url).pathname, " ")
    .replace(/\s+/g, " ")
    .trim();
  return { title: readTitle(html), text, signature: signText(text) };
}

/** Whether a page is the site's answer to what does not exist, give or take a date or a suggestion in it. */
export function isSameAnswer(page: MissingAnswer, missing: MissingAnswer): boolean {
  if (page.title !== missing.title) return false;
  if (page.signature === undefined || missing.signature === undefined) return page.text === missing.text;
  return compareSignatures(page.signature, missing.signature) >= SAME_ANSWER;
}
