/** The arithmetic of the bench. */

/** The middle half of some values around their median. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

/** A size with what it cost. */
export interface Point {
  size: number;
  cost: number;
}

/** The middle value; of an even number of values, the mean of the two in the middle. NaN for none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which a share (0 to 1) of the values lies, interpolated between neighbours. NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? NaN;
  const above = sorted[Math.ceil(place)] ?? NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** Median and quartiles. */
function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), low: quantile(values, 0.25), high: quantile(values, 0.75) };
}

/**
 * How many times the other's value ours is: the ratio within each repetition, then the spread of those. What slowed a
 * repetition down slowed both sides of it.
 */
export function ratioOf(ours: readonly number[], others: readonly number[]): Spread {
  return spreadOf(ours.map((value, index) => value / (others[index] ?? NaN)));
}

/** The exponent `e` of `cost = c * size^e` that fits best: the slope of the least-squares line through the logarithms. */
export function growthExponent(points: readonly Point[]): number {
  const logs = points.map(({ size, cost }) => ({ x: Math.log(size), y: Math.log(cost) }));
  const meanX = logs.reduce((sum, { x }) => sum + x, 0) / logs.length;
  const meanY = logs.reduce((sum, { y }) => sum + y, 0) / logs.length;
  const covariance = logs.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  const variance = logs.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return covariance / variance;
}
