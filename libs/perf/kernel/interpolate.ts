/** Piecewise linear interpolation of `points` ([x, y], x ascending). With `extend`, the end slopes continue outside. */
export const linear = (points: readonly (readonly [number, number])[], x: number, extend = false): number => {
  const last = points.length - 1;
  let i = 1;
  while (i < last && x > (points[i]?.[0] ?? 0)) i += 1;
  const [x0, y0] = points[i - 1] ?? [0, 0];
  const [x1, y1] = points[i] ?? [1, 0];
  const t = (x - x0) / (x1 - x0);
  return y0 + (y1 - y0) * (extend ? t : Math.min(1, Math.max(0, t)));
};
