/**
 * Largest x of [low, high] for which `holds`, to `tolerance`, given that it holds below a threshold and fails above.
 * Null when it fails at `low` already; `high` when it never fails.
 */
export const largest = (
  low: number,
  high: number,
  holds: (x: number) => boolean,
  tolerance = 0.01,
): number | null => {
  if (!holds(low)) return null;
  if (holds(high)) return high;
  let pass = low;
  let fail = high;
  while (fail - pass > tolerance) {
    const middle = 0.5 * (pass + fail);
    if (holds(middle)) pass = middle;
    else fail = middle;
  }
  return pass;
};
