const DAY = 86_400_000;
const UNITS = [
  { name: "year", days: 365 },
  { name: "month", days: 30 },
  { name: "week", days: 7 },
  { name: "day", days: 1 },
] as const;

/** How long ago something was made, in its largest unit: `3 days old`, `new today`. Undefined where it has no date. */
export function describeAge(created: string, now: Date): string | undefined {
  const time = Date.parse(created);
  if (Number.isNaN(time)) return undefined;
  const days = Math.floor((now.getTime() - time) / DAY);
  const unit = UNITS.find((each) => days >= each.days);
  if (unit === undefined) return "new today";
  const count = Math.floor(days / unit.days);
  return `${count} ${unit.name}${count === 1 ? "" : "s"} old`;
}
