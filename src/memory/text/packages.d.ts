declare module "snowball-stemmers" {
  interface Stemmer {
    stem(word: string): string;
  }
  const snowball: { newStemmer(algorithm: string): Stemmer; algorithms(): string[] };
  export default snowball;
}

declare module "stopword/dist/stopword.esm.mjs" {
  export const eng: readonly string[];
  export const deu: readonly string[];
  export const fra: readonly string[];
  export const spa: readonly string[];
  export const ita: readonly string[];
  export const por: readonly string[];
  export const nld: readonly string[];
  export const swe: readonly string[];
  export const dan: readonly string[];
  export const nob: readonly string[];
  export const fin: readonly string[];
  export const hun: readonly string[];
  export const ron: readonly string[];
  export const tur: readonly string[];
  export const rus: readonly string[];
  export const ara: readonly string[];
}
