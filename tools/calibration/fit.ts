/** Solves A x = b by elimination with partial pivoting; A is small, square and regular. */
export const solve = (a: number[][], b: number[]): number[] => {
  const n = b.length;
  const m = a.map((row, i) => [...row, b[i] ?? 0]);
  for (let col = 0; col < n; col += 1) {
    let pivot = col;
    for (let row = col + 1; row < n; row += 1) {
      if (Math.abs(m[row]?.[col] ?? 0) > Math.abs(m[pivot]?.[col] ?? 0)) pivot = row;
    }
    const top = m[pivot] ?? [];
    m[pivot] = m[col] ?? [];
    m[col] = top;
    const lead = top[col] ?? 0;
    if (Math.abs(lead) < 1e-300) throw new Error(`the fit is singular in parameter ${col}`);
    for (let row = 0; row < n; row += 1) {
      const target = m[row];
      if (row === col || !target) continue;
      const factor = (target[col] ?? 0) / lead;
      if (factor === 0) continue;
      for (let k = col; k <= n; k += 1) target[k] = (target[k] ?? 0) - factor * (top[k] ?? 0);
    }
  }
  return m.map((row, i) => (row[n] ?? 0) / (row[i] ?? 1));
};

interface Bounds {
  min: number;
  max: number;
}

const sumOfSquares = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value * value, 0);
const clamp = (value: number, { min, max }: Bounds): number => Math.min(max, Math.max(min, value));

/**
 * Levenberg-Marquardt on scaled parameters inside bounds, derivatives by forward differences. Returns the parameters
 * and the sum of squares.
 */
export const leastSquares = (
  residuals: (parameters: readonly number[]) => number[],
  start: readonly number[],
  bounds: readonly Bounds[],
  iterations = 80,
): { parameters: number[]; cost: number } => {
  const span = bounds.map((bound) => bound.max - bound.min);
  const at = (i: number): Bounds => bounds[i] ?? { min: -Infinity, max: Infinity };
  let x = start.map((value, i) => clamp(value, at(i)));
  let r = residuals(x);
  let cost = sumOfSquares(r);
  let damping = 1e-2;
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    const columns = x.map((value, j) => {
      const step = (span[j] ?? 1) * 1e-5 * (value + (span[j] ?? 1) * 1e-5 > at(j).max ? -1 : 1);
      const moved = residuals(x.map((entry, k) => (k === j ? entry + step : entry)));
      return moved.map((entry, k) => ((entry - (r[k] ?? 0)) / step) * (span[j] ?? 1));
    });
    const normal = columns.map((a) =>
      columns.map((b) => a.reduce((sum, entry, k) => sum + entry * (b[k] ?? 0), 0)),
    );
    const gradient = columns.map((a) => a.reduce((sum, entry, k) => sum + entry * (r[k] ?? 0), 0));
    let improved = false;
    for (let attempt = 0; attempt < 8 && !improved; attempt += 1) {
      const damped = normal.map((row, i) =>
        row.map((entry, j) => (i === j ? entry * (1 + damping) + 1e-9 : entry)),
      );
      const step = solve(
        damped,
        gradient.map((entry) => -entry),
      );
      const candidate = x.map((value, i) => clamp(value + (step[i] ?? 0) * (span[i] ?? 1), at(i)));
      const next = residuals(candidate);
      const nextCost = sumOfSquares(next);
      if (nextCost < cost) {
        improved = true;
        const gain = (cost - nextCost) / cost;
        x = candidate;
        r = next;
        cost = nextCost;
        damping = Math.max(1e-9, damping / 4);
        if (gain < 1e-7) return { parameters: x, cost };
      } else damping *= 4;
    }
    if (!improved) break;
  }
  return { parameters: x, cost };
};
