export { examineBrowser, examineFirecrawl, examineSearxng } from "./examine-services.ts";
export { createGateway, type ClosableGateway, type GatewayOptions } from "./gateway.ts";
export { createProjectFiles } from "./project/project-files.ts";
export { listFilesToAdd, readFileToAdd } from "./store/add-files.ts";
export { openSourceStore, type WritableSourceStore } from "./store/source-store.ts";
export { createReferenceChecker, type ReferenceChecker } from "./references/reference-checker.ts";
