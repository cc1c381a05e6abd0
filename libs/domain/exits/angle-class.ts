/** `high` = rapid exit, `reverse` = only after a back turn or for the other direction. */
type ExitClass = 'high' | 'mid' | 'right' | 'reverse' | 'unknown';

/** Class by the angle between landing direction and taxiway, degrees 0 to 180. */
export const exitClass = (angleDeg: number | null): ExitClass => {
  if (angleDeg === null) return 'unknown';
  if (angleDeg <= 45) return 'high';
  if (angleDeg <= 75) return 'mid';
  return angleDeg <= 105 ? 'right' : 'reverse';
};
