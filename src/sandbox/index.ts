export { createCriteria } from "./criteria.ts";
export { createSandbox, type SandboxOptions } from "./docker-sandbox.ts";
