/** Thrust setting, maximum assumed temperature and stabilizer trim by the type's fitted laws; null: not published. */
import type { N1Law } from '#domain/aircraft/profile-takeoff.ts';
import { toCelsius, toKelvin } from '../kernel/atmosphere.ts';
import { mToFt } from '../kernel/units.ts';
import type { Shared } from './situation.ts';
import type { Fitted } from './types.ts';

/** Pressure altitude up to which settings are published, in thousands of feet. */
const publishedToKft = 10;

const kftOf = ({ actual }: Shared): number => mToFt(actual.pressureAltitudeM) / 1000;
const kinkOf = ({ kinkC }: N1Law, kft: number): number => kinkC[0] + kinkC[1] * kft;

/** N1 (%) at a temperature and a pressure altitude (1,000 ft). */
const n1Of = (law: N1Law, celsius: number, kft: number): number => {
  const [a, b, c] = law.percent;
  const atKinkC = kinkOf(law, kft);
  const rise = (toKelvin(Math.min(celsius, atKinkC)) / toKelvin(15)) ** law.exponent;
  return (a + b * kft + c * kft * kft) * rise - law.fallPerC * Math.max(0, celsius - atKinkC);
};

/** N1 (%) at full rated thrust, or for an assumed temperature (C): its corrected N1 at the actual temperature. */
export const n1At = (shared: Shared, assumedC: number | null): Fitted | null => {
  const { model, actual, rating, takeoff } = shared;
  const { packsOff, antiIce } = takeoff.configuration;
  const law = model.settings?.n1[rating];
  const kft = kftOf(shared);
  if (!model.settings || !law || kft > publishedToKft || antiIce !== 'OFF') return null;
  const actualC = toCelsius(actual.temperatureK);
  const atC = assumedC ?? actualC;
  const value = n1Of(law, atC, kft) * Math.sqrt(toKelvin(actualC) / toKelvin(atC));
  return { value: value + (packsOff ? model.settings.packsOffPercent : 0), rms: model.settings.n1Rms };
};

/** Maximum assumed temperature (C) of the rating. */
export const publishedMostC = (shared: Shared): Fitted | null => {
  const { model, actual, rating } = shared;
  const law = model.settings?.n1[rating];
  const rms = model.settings?.mostAssumedRmsC;
  const kft = kftOf(shared);
  if (!law?.mostAssumedC || rms === undefined || kft > publishedToKft) return null;
  const [a, b] = law.mostAssumedC;
  return { value: a + b * kft + Math.max(0, toCelsius(actual.temperatureK) - kinkOf(law, kft)), rms };
};

/** Stabilizer trim units for a flap, at the case's weight and CG. */
export const trimOf = ({ model, rating, takeoff }: Shared, flap: string): Fitted | null => {
  const { massKg, cgPercent } = takeoff;
  const trim = model.settings?.trim;
  const law = trim?.byFlap[flap];
  if (!trim || !law || massKg === undefined || cgPercent === undefined) return null;
  const units = law.units + law.perCgPercent * cgPercent + (law.perTonne * massKg) / 1000;
  const value = Math.min(trim.most, Math.max(trim.least, units + (trim.byRating[rating] ?? 0)));
  return { value, rms: trim.rms };
};
