export { createCriteria } from "./criteria.ts";
export { createSandbox, type StoredExperiments } from "./docker-sandbox.ts";
export { ExperimentStore } from "./store.ts";
export { examineDocker, type ExaminedDocker } from "./examine-docker.ts";
