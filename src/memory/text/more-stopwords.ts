/** Stop words that the lists of the package leave out: above all the words that questions begin with. */
import type { Language } from "./languages.ts";

export const MORE_STOPWORDS: Partial<Record<Language, string>> = {
  /** English function words as in Porter's Snowball list, where the package's has 108. */
  en: `myself ours ourselves yours yourself yourselves she hers herself itself theirs themselves whom having does
    doing ought cannot until against during above below down off again further once when why few no nor not own so will just
    don may shall upon within without whose`,
  de: "worauf worüber worum worin wofür wozu wodurch wogegen womit wonach wovon wovor woran woraus wobei worunter weswegen wieviel",
  nl: "waar wanneer waarom hoeveel welke welk waarvoor waarmee waardoor waarop waarin waaruit waarvan waarheen",
  sv: "hurdan",
  da: "hvilket hvilke hvorfra hvortil hvorhen",
  no: "hvilket hvorfra hvorhen",
  fi: "mikä mitä mitkä minkä kuka ketkä kenen ketä missä mistä mihin milloin miksi miten kuinka montako millainen paljonko kumpi",
  fr: "quoi quand comment pourquoi combien lequel laquelle lesquels lesquelles",
  es: "quién quiénes cuál cuáles cuándo cuánto cuántos cuánta cuántas dónde cómo",
  it: "cosa quale quali quando",
  pt: "quanto quantos quanta quantas onde porque porquê",
  ru: "почему какие каком сколько зачем откуда чей",
  tr: "nereden kaç kimin",
  hu: "hová",
  ro: "câți cui",
  ar: "لماذا",
};
