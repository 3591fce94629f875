import { expect, it } from "vitest";
import { TestPlan } from "../../../src/domain/experiment.ts";
import { PlanInput } from "../../../src/engine/experiments/register-plan.ts";
import { samplePlan } from "../../support/samples.ts";

const { image: _image, data: _data, ...plan } = samplePlan("h-1");
const withCpus = (cpus: number) => ({ ...plan, limits: { cpus } });

it("a plan asks for a hundredth of a processor at least, since an engine gives no less", () => {
  expect(PlanInput.safeParse(withCpus(0.005)).error?.issues[0]?.path).toEqual(["limits", "cpus"]);
  expect(PlanInput.parse(withCpus(0.01)).limits.cpus).toBe(0.01);
  expect(PlanInput.parse(plan).limits).toEqual(plan.limits);
});

it("a plan that was registered with less stays readable", () => {
  expect(TestPlan.parse(samplePlan("h-1", { limits: { cpus: 0.005 } })).limits.cpus).toBe(0.005);
});
