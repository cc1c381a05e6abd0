/**
 * Largest x in [low, high] for which `holds`, to `tolerance`, if it holds below a threshold and fails above. Null if it
 * fails at `low`; `high` if it never fails.
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
