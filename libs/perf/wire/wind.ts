import type { LandingRequest } from '#domain/performance/request.ts';
import { vrefAdd } from '#domain/weather/runway-wind.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { CautionAnswer } from '#domain/performance/caution.ts';
import { toKelvin } from '../kernel/atmosphere.ts';
import { silentQnhPa } from '../kernel/constants.ts';
import { mpsToKt } from '../kernel/units.ts';
import { cautionList } from '../landing/caution-codes.ts';
import { rounded } from '../landing/rounding.ts';
import type { Weather } from '../landing/types.ts';
import { windCautions } from '../landing/wind-limits.ts';
import type { LimitingWind, RaisedBy } from '../landing/wind-limits.ts';
import { cautionAnswers, metric } from './caution-answers.ts';
import type { Converter } from './units.ts';

export const maxAdditiveKt = 20;

/** Wind components along (headwind positive) and across a runway, m/s; a variable wind counts in full as tailwind and crosswind. */
const componentsOf = (directionDeg: number | null, speedMps: number, trueBearingDeg: number) => {
  if (directionDeg === null) return { headwindMps: -speedMps + 0, crosswindMps: speedMps };
  const angle = ((directionDeg - trueBearingDeg) * Math.PI) / 180;
  return { headwindMps: speedMps * Math.cos(angle), crosswindMps: Math.abs(speedMps * Math.sin(angle)) };
};

/** The requested weather on the runway, wind steady and gusting. Wind direction is true, as in a METAR. */
export const weatherOn = (
  weather: LandingRequest['weather'],
  trueBearingDeg: number,
  convert: Converter,
): Weather => {
  const { windDirection, windSpeed, gust, headwind, maxHeadwind, maxTailwind } = weather;
  const speedMps = convert.fromWind(windSpeed);
  const gustMps = gust === null ? null : Math.max(speedMps, convert.fromWind(gust));
  const steady = componentsOf(windDirection, speedMps, trueBearingDeg);
  const gusts = gustMps === null ? null : componentsOf(windDirection, gustMps, trueBearingDeg);
  // A requested headwind replaces only the along-runway component; the crosswind stays as reported.
  const headwindMps = headwind === null ? steady.headwindMps : convert.fromWind(headwind);
  const riseMps = maxTailwind === undefined ? Math.sign(headwindMps) * ((gustMps ?? speedMps) - speedMps) : 0;
  const alongMps = headwind === null ? gusts?.headwindMps : headwindMps + riseMps;
  return {
    headwindMps,
    crosswindMps: steady.crosswindMps,
    ...(gusts && { gust: { headwindMps: alongMps ?? headwindMps, crosswindMps: gusts.crosswindMps } }),
    isVariable: windDirection === null && windSpeed > 0,
    maxHeadwindMps: maxHeadwind && convert.fromWind(maxHeadwind),
    maxTailwindMps: maxTailwind && convert.fromWind(maxTailwind),
    temperatureK: toKelvin(weather.temperature),
    qnhPa: weather.qnh === undefined ? silentQnhPa : convert.fromPressure(weather.qnh),
  };
};

/** Wind components in the answer. */
export const windAnswer = (
  { headwindMps, crosswindMps = 0, gust, isVariable }: Weather,
  convert: Converter,
) => {
  const shown = (mps: number): number => rounded(convert.toWind(mps), 1);
  return {
    headwind: shown(headwindMps),
    crosswind: shown(crosswindMps),
    ...(gust && { gustHeadwind: shown(gust.headwindMps), gustCrosswind: shown(gust.crosswindMps) }),
    ...(isVariable && { isVariable }),
  };
};

/** Wind cautions (knots) when flap and centre of gravity are not known. */
export const windCautionsOf =
  (profile: Pick<AircraftProfile, 'landing' | 'takeoff'>) =>
  (
    use: 'landing' | 'takeoff',
    wind: LimitingWind,
    rwycc: number,
    runway: Pick<RaisedBy, 'widthM' | 'lengthM'>,
  ): CautionAnswer[] => {
    const out = cautionList();
    const raisedBy = { ...runway, cgPercent: null, hasFlap: () => false };
    windCautions(profile[use].windLimit, wind, rwycc, raisedBy, out);
    return cautionAnswers(out.list, metric);
  };

/**
 * Family B wind additive to VREF, kt: as given with the wind, else half the headwind plus the full gust increment if gusting; 0 for
 * none. Family A adds its own.
 */
export const windAdditiveKt = (
  { family }: Pick<AircraftProfile, 'family'>,
  { weather }: Pick<LandingRequest, 'weather'>,
  wind: Weather,
  convert: Converter,
): number => {
  if (family !== 'B') return 0;
  const given = weather.vrefAdd ?? 0;
  if (weather.gust === null || weather.gust <= weather.windSpeed) return given;
  const [speedKt, gustKt] = [weather.windSpeed, weather.gust].map((speed) =>
    mpsToKt(convert.fromWind(speed)),
  );
  return Math.max(given, vrefAdd(mpsToKt(wind.headwindMps), speedKt ?? 0, gustKt ?? null));
};

/**
 * A wind from one runway's answer applied to another runway: its given component counts unless the wind's own is worse, and the
 * additive is recomputed for the runway; a wind without direction keeps its own.
 */
export const weatherOnRunway = (
  given: LandingRequest['weather'],
  trueBearingDeg: number,
  convert: Converter,
): LandingRequest['weather'] => {
  const { headwind, windDirection, windSpeed, gust, vrefAdd: additive } = given;
  const { headwindMps } = weatherOn({ ...given, headwind: null }, trueBearingDeg, convert);
  const isBoth = headwind !== null && windSpeed > 0;
  const along = isBoth ? Math.min(headwind, convert.toWind(headwindMps)) : headwind;
  const weather = { ...given, headwind: along };
  if (additive === null || windDirection === null) return weather;
  const knots = (speed: number): number => mpsToKt(convert.fromWind(speed));
  const alongKt = along === null ? mpsToKt(headwindMps) : knots(along);
  const own = vrefAdd(alongKt, knots(windSpeed), gust === null ? null : knots(gust));
  // With several winds, the additive may come from a different one than the reported main wind.
  return { ...weather, vrefAdd: headwind === null ? own : Math.max(own, additive) };
};

/** Default VREF additive (kt): for the wind, at least the profile's default. */
export const silentAdditiveKt = (
  profile: AircraftProfile,
  request: Pick<LandingRequest, 'weather'>,
  wind: Weather,
  convert: Converter,
): number => Math.max(profile.landing.vrefAdditiveDefault, windAdditiveKt(profile, request, wind, convert));
