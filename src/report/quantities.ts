import { count } from "./confidence.ts";
import type { Method } from "./report-model.ts";

/** What was spent, of what might be. */
export function describeSpend({ spend, budget }: Method): string {
  const usd = `${spend.usd.toFixed(4)} of ${budget.usd} US dollars`;
  return `${usd}, ${groupDigits(spend.tokens)} of ${groupDigits(budget.tokens)} tokens, ${count(spend.answers, "model answer")}`;
}

function groupDigits(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 h 0 min 3 s`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return [...(hours > 0 ? [`${hours} h`] : []), ...(hours > 0 || minutes > 0 ? [`${minutes} min`] : []), `${whole % 60} s`].join(" ");
}
