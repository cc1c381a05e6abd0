import type { LandingRequest } from '#domain/performance/request.ts';
import { vrefAdd } from '#domain/weather/runway-wind.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { mpsToKt } from '../kernel/units.ts';
import { rounded } from '../landing/rounding.ts';
import type { LandingCase } from '../landing/types.ts';
import type { Converter } from './units.ts';

export const maxAdditiveKt = 20;

type Wind = Pick<LandingCase['weather'], 'headwindMps' | 'crosswindMps' | 'gust' | 'isVariable'>;

/** Wind along and across a runway (m/s) from its direction in degrees true; ahead is positive. */
export const windComponents = (
  directionDeg: number,
  speedMps: number,
  trueBearingDeg: number,
): { headwindMps: number; crosswindMps: number } => {
  const angle = ((directionDeg - trueBearingDeg) * Math.PI) / 180;
  return { headwindMps: speedMps * Math.cos(angle), crosswindMps: Math.abs(speedMps * Math.sin(angle)) };
};

/** A wind of no direction counts in full from behind and from the side. */
const componentsOf = (directionDeg: number | null, speedMps: number, trueBearingDeg: number) =>
  directionDeg === null
    ? { headwindMps: -speedMps + 0, crosswindMps: speedMps }
    : windComponents(directionDeg, speedMps, trueBearingDeg);

/** The wind of a request on its runway, with that of its gusts. */
export const windOnRunway = (
  { windDirection, windSpeed, gust, headwind }: LandingRequest['weather'],
  trueBearingDeg: number,
  convert: Converter,
): Wind => {
  const speedMps = convert.fromWind(windSpeed);
  const gustMps = gust === null ? null : Math.max(speedMps, convert.fromWind(gust));
  const steady = componentsOf(windDirection, speedMps, trueBearingDeg);
  const gusts = gustMps === null ? null : componentsOf(windDirection, gustMps, trueBearingDeg);
  const isVariable = windDirection === null && windSpeed > 0;
  if (headwind === null) return { ...steady, ...(gusts ? { gust: gusts } : {}), isVariable };
  // A headwind replaces the part along the runway only: the reported wind still blows across it.
  const headwindMps = convert.fromWind(headwind);
  const riseMps = Math.sign(headwindMps) * ((gustMps ?? speedMps) - speedMps);
  return {
    headwindMps,
    crosswindMps: steady.crosswindMps,
    ...(gusts ? { gust: { headwindMps: headwindMps + riseMps, crosswindMps: gusts.crosswindMps } } : {}),
    isVariable,
  };
};

/** Wind components of an answer. */
export const windAnswer = ({ headwindMps, crosswindMps = 0, gust, isVariable }: Wind, convert: Converter) => {
  const shown = (mps: number): number => rounded(convert.toWind(mps), 1);
  return {
    headwind: shown(headwindMps),
    crosswind: shown(crosswindMps),
    ...(gust && { gustHeadwind: shown(gust.headwindMps), gustCrosswind: shown(gust.crosswindMps) }),
    ...(isVariable && { isVariable }),
  };
};

/**
 * Knots that family B adds to VREF for this wind: as given with it, else for gusts half the headwind and the whole increment; 0 for
 * none. Family A adds its own.
 */
export const windAdditiveKt = (
  { family }: Pick<AircraftProfile, 'family'>,
  { weather }: Pick<LandingRequest, 'weather'>,
  wind: Wind,
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

/** A wind that was handed out for one runway, with the additive of another; one without a direction keeps its own. */
export const weatherOnRunway = (
  weather: LandingRequest['weather'],
  trueBearingDeg: number,
  convert: Converter,
): LandingRequest['weather'] => {
  if (weather.vrefAdd === null || weather.windDirection === null) return weather;
  const { headwindMps } = windOnRunway(weather, trueBearingDeg, convert);
  const knots = (speed: number): number => mpsToKt(convert.fromWind(speed));
  const gustKt = weather.gust === null ? null : knots(weather.gust);
  const own = vrefAdd(mpsToKt(headwindMps), knots(weather.windSpeed), gustKt);
  // Of several winds the additive may be that of another one than the wind that is named.
  return { ...weather, vrefAdd: weather.headwind === null ? own : Math.max(own, weather.vrefAdd) };
};

/** Knots added to VREF where the request has no additive: for the wind, but no less than the default of the profile. */
export const silentAdditiveKt = (
  profile: AircraftProfile,
  request: Pick<LandingRequest, 'weather'>,
  wind: Wind,
  convert: Converter,
): number => Math.max(profile.landing.vrefAdditiveDefault, windAdditiveKt(profile, request, wind, convert));
