/** Generous ranges for values in a plan; anything outside is an error in the document. */
import type { Range } from './cursor.ts';

export const ranges = {
  latitude: { min: -90, max: 90 },
  longitude: { min: -180, max: 180 },
  altitudeFt: { min: -2_000, max: 100_000 },
  degrees: { min: 0, max: 360 },
  windKt: { min: 0, max: 400 },
  componentKt: { min: -400, max: 400 },
  speedKt: { min: 0, max: 2_000 },
  mach: { min: 0, max: 4 },
  temperatureC: { min: -130, max: 70 },
  deviationC: { min: -80, max: 80 },
  /** 10 days. */
  seconds: { min: 0, max: 864_000 },
  minutes: { min: 0, max: 1_440 },
  secondsChange: { min: -864_000, max: 864_000 },
  distanceNm: { min: 0, max: 30_000 },
  lengthFt: { min: 0, max: 60_000 },
  /** Kilograms or pounds. */
  weight: { min: 0, max: 3_000_000 },
  weightChange: { min: -3_000_000, max: 3_000_000 },
  people: { min: 0, max: 2_000 },
  costIndex: { min: 0, max: 9_999 },
  inHg: { min: 25, max: 33 },
} as const satisfies Record<string, Range>;
