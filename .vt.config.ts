import { defineConfig } from "vitest/config";
export default defineConfig({
  test: { environment: "node", testTimeout: 60000, hookTimeout: 60000, maxWorkers: 2, include: ["test/**/*.test.ts"] },
});
