// Adds up vitest's JSON reports and prints the line that closes a CI run. A skipped or missing test is a failure; one
// that passed when it was tried again is named with what it had failed by.
import { readFileSync } from "node:fs";

const sum = { passed: 0, failed: 0, skipped: 0 };
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, "utf8"));
  sum.passed += report.numPassedTests;
  // A file that cannot even be loaded has no tests to count.
  sum.failed += Math.max(report.numFailedTests, report.success ? 0 : 1);
  for (const suite of report.testResults) {
    for (const test of suite.assertionResults) {
      if (test.status === "passed" && test.failureMessages.length > 0) {
        console.log(`passed when tried again: ${test.fullName}\n  ${test.failureMessages.join("\n  ")}`);
      }
      if (test.status !== "pending" && test.status !== "skipped" && test.status !== "todo") continue;
      sum.skipped += 1;
      console.log(`skipped: ${test.fullName}`);
    }
  }
}
console.log(`${sum.passed} passed, ${sum.failed + sum.skipped} failed`);
process.exit(sum.failed + sum.skipped > 0 || sum.passed === 0 ? 1 : 0);
