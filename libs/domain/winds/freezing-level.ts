import { windSampler } from './interpolate.ts';
import type { WindSnapshot } from './snapshot.ts';
import { kelvinAt0c, pressureAltitudeFt } from './standard-atmosphere.ts';

/**
 * The lowest pressure altitude of 0 degrees C above a place in feet, interpolated between grid levels: 0 if it freezes
 * at the lowest level, null without data or frost.
 */
export const freezingLevelFt = (
  snapshot: WindSnapshot | null,
  place: { latitude: number; longitude: number },
  timeMs: number,
): number | null => {
  const sample = windSampler(snapshot, place, timeMs);
  let below: { logPressure: number; kelvin: number } | null = null;
  for (const level of snapshot?.header.levelsHpa.toReversed() ?? []) {
    const kelvin = sample(level).temperatureK;
    if (kelvin === null) continue;
    const logPressure = Math.log(level);
    if (kelvin <= kelvinAt0c) {
      if (below === null) return 0;
      const share = (below.kelvin - kelvinAt0c) / (below.kelvin - kelvin);
      const pressure = Math.exp(below.logPressure + share * (logPressure - below.logPressure));
      return Math.round(pressureAltitudeFt(pressure) / 100) * 100;
    }
    below = { logPressure, kelvin };
  }
  return null;
};
