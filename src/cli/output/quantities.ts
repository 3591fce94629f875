/** Amounts as people read them; all pure. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in milliseconds: `7s`, `3m 07s`, `2h 05m`, `3d 4h`. */
export function duration(ms: number): string {
  const whole = Math.max(0, Math.floor(ms));
  const pad = (value: number): string => String(value).padStart(2, "0");
  if (whole < MINUTE) return `${Math.floor(whole / SECOND)}s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)}m ${pad(Math.floor((whole % MINUTE) / SECOND))}s`;
  if (whole < DAY) return `${Math.floor(whole / HOUR)}h ${pad(Math.floor((whole % HOUR) / MINUTE))}m`;
  return `${Math.floor(whole / DAY)}d ${Math.floor((whole % DAY) / HOUR)}h`;
}

/** How long before `now` (epoch milliseconds) an ISO time was; the time itself where it cannot be read. */
export function ago(iso: string, now: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const passed = now - at;
  if (passed < 5 * SECOND) return "just now";
  if (passed < MINUTE) return `${Math.floor(passed / SECOND)}s ago`;
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)}m ago`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)}h ago`;
  if (passed < 30 * DAY) return `${Math.floor(passed / DAY)}d ago`;
  return new Date(at).toISOString().slice(0, 10);
}

/** US dollars: cents from a dollar on, four decimals below, so that small amounts do not read as nothing. */
export function money(usd: number): string {
  if (usd === 0) return "$0";
  if (usd < 0.0001) return "<$0.0001";
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

/** A count in at most five characters: `950`, `12.3k`, `4.5M`. */
export function count(value: number): string {
  if (value < 1000) return String(Math.round(value));
  if (value < 999_950) return `${trimmed(value / 1000)}k`;
  if (value < 999_950_000) return `${trimmed(value / 1_000_000)}M`;
  return `${trimmed(value / 1_000_000_000)}G`;
}

function trimmed(value: number): string {
  return value < 100 ? String(Number(value.toFixed(1))) : value.toFixed(0);
}

export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  if (size < 999_950) return `${trimmed(size / 1000)} kB`;
  if (size < 999_950_000) return `${trimmed(size / 1_000_000)} MB`;
  return `${trimmed(size / 1_000_000_000)} GB`;
}
