export { createCriteria } from "./criteria.ts";
export { createSandbox } from "./docker-sandbox.ts";
