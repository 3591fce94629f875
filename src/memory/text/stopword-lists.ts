/** The lists of the stopword package that are used, so that a bundle holds no others. */
export { eng, deu, fra, spa, ita, por, nld, swe, dan, nob, fin, hun, ron, tur, rus, ara } from "stopword/dist/stopword.esm.mjs";
