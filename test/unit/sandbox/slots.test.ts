import { describe, expect, it } from "vitest";
import { Slots } from "../../../src/sandbox/slots.ts";

const never = new AbortController().signal;

describe("slots", () => {
  it("let in as many as there are, and the next in order when one leaves", async () => {
    const slots = new Slots(1);
    const order: string[] = [];
    const first = await slots.take(never);
    const second = slots.take(never).then((release) => {
      order.push("second");
      return release;
    });
    const third = slots.take(never).then(() => order.push("third"));
    await Promise.resolve();
    expect(order).toEqual([]);
    first?.();
    (await second)?.();
    await third;
    expect(order).toEqual(["second", "third"]);
  });

  it("let nobody in twice when one leaves twice", async () => {
    const slots = new Slots(1);
    const release = await slots.take(never);
    release?.();
    release?.();
    await slots.take(never);
    const controller = new AbortController();
    const waiting = slots.take(controller.signal);
    controller.abort();
    expect(await waiting).toBeUndefined();
  });

  it("forget one who gave up waiting", async () => {
    const slots = new Slots(1);
    const release = await slots.take(never);
    const controller = new AbortController();
    const gaveUp = slots.take(controller.signal);
    const patient = slots.take(never);
    controller.abort();
    expect(await gaveUp).toBeUndefined();
    release?.();
    expect(await patient).toBeTypeOf("function");
    expect(await slots.take(AbortSignal.abort())).toBeUndefined();
  });
});
