import { defineConfig } from "vitest/config";

const shared = { environment: "node", testTimeout: 30_000, hookTimeout: 60_000 } as const;

/** `everyday` is `npm test`; `slow` (files named *.slow.test.ts) joins it in `npm run test:all`. */
export default defineConfig({
  test: {
    globalSetup: ["test/support/build-once.ts"],
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { ...shared, name: "everyday", include: ["test/**/*.test.{ts,tsx}"], exclude: ["**/*.slow.test.ts", "**/node_modules/**"] },
      },
      { extends: true, test: { ...shared, name: "slow", include: ["test/**/*.slow.test.ts"], testTimeout: 600_000 } },
    ],
  },
});
