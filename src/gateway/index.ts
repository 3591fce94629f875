export { createGateway, type ClosableGateway, type GatewayOptions } from "./gateway.ts";
export { createProjectFiles, type ProjectFilesOptions } from "./project/project-files.ts";
export { openSourceStore, type SourceStoreOptions, type WritableSourceStore } from "./store/source-store.ts";
export { createReferenceChecker, type ReferenceChecker, type ReferenceCheckerOptions } from "./references/reference-checker.ts";
