/** The stored sources alone: who only looks at what is there loads nothing of searching and reading the web. */
export { openSourceStore, type WritableSourceStore } from "./store/source-store.ts";
