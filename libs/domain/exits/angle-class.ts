/** `high`: rapid exit; `reverse`: only after a backtrack or from the other runway end. */
type ExitClass = 'high' | 'mid' | 'right' | 'reverse' | 'unknown';

/** Class by the angle between landing direction and taxiway, 0 to 180 degrees. */
export const exitClass = (angleDeg: number | null): ExitClass => {
  if (angleDeg === null) return 'unknown';
  if (angleDeg <= 45) return 'high';
  if (angleDeg <= 75) return 'mid';
  return angleDeg <= 105 ? 'right' : 'reverse';
};
