import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { DrawingFacts, DrawingWords } from '#domain/performance/graphic.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import type { LandingPerformance } from '#domain/performance/result.ts';
import { separated } from '../svg/scene.ts';
import type { LandingScene } from '../svg/scene.ts';
import { noBreak } from '../svg/text.ts';
import { defaultOf } from '#perf/wire/profile-defaults.ts';
import { failureOf } from '#perf/wire/validate.ts';

interface Labelled {
  value: string;
  label: string;
}

export const labelOf = (list: readonly Labelled[], value: string): string =>
  list.find((entry) => entry.value === value)?.label ?? value;

/** Uses the default if the request names none. */
export const usedLabel = (
  list: readonly (Labelled & { isDefault: boolean })[],
  value: string | undefined,
): string => labelOf(list, value ?? defaultOf(list) ?? '');

/** Registration and variant of the aircraft, for the title. */
export const namedVariant = ({ profile, model }: AircraftProfile): string =>
  [profile.userRegistration, model.variant].filter(Boolean).join(' ');

/** Inoperative items with their names. */
export const itemWords = (
  profile: AircraftProfile,
  { inopItems }: Pick<LandingRequest, 'inopItems'>,
): Record<'mel' | 'cdl', string[]> => {
  const named = (kind: 'mel' | 'cdl'): string[] =>
    inopItems[kind].map((code) => `${code} ${labelOf(profile[kind], code)}`);
  return { mel: named('mel'), cdl: named('cdl') };
};

/** The pilot's selections in the profile's words. */
export const wordsOf = (profile: AircraftProfile, request: LandingRequest, flap: string): DrawingWords => {
  const { configuration, runwayCondition, landingMode } = request;
  const { dispatch, enroute } = profile.conditions;
  const nonNormal = failureOf(request);
  return {
    flap: profile.flaps.find((entry) => entry.code === flap)?.label ?? flap,
    condition: labelOf(landingMode === 'dispatch' ? dispatch : enroute, runwayCondition.state),
    reversers: usedLabel(profile.options.reversers, configuration.reverser),
    speedbrake: usedLabel(profile.options.groundSpoilers, configuration.speedbrake),
    antiIce: usedLabel(profile.options.antiIce, configuration.antiIce),
    nonNormal: nonNormal === null ? null : labelOf(profile.nonNormal, nonNormal),
    ...itemWords(profile, request),
  };
};

const decimal = (value: number): string => separated(Number(value.toFixed(1)));

/** What the texts about weather and closed parts need from a landing or takeoff request. */
type Given = Pick<LandingRequest, 'weather' | 'units' | 'notam'>;

export const windText = (
  { weather, units }: Given,
  windComponents: LandingPerformance['windComponents'],
): string => {
  const { headwind, windDirection, windSpeed, gust } = weather;
  const unit = units.wind === 'ms' ? 'm/s' : 'kt';
  const direction = windDirection === null ? 'VRB' : `${String(windDirection).padStart(3, '0')}°`;
  const isReported = headwind === null || windSpeed > 0;
  const reported = isReported ? `${direction}/${windSpeed}${gust ? `G${gust}` : ''} ${unit}` : '';
  const along = windComponents?.headwind ?? headwind;
  const across = windComponents
    ? `, crosswind ${decimal(windComponents.gustCrosswind ?? windComponents.crosswind)}`
    : '';
  const components =
    along === null
      ? ''
      : `${along < 0 ? 'tailwind' : 'headwind'} ${decimal(Math.abs(along))}${across} ${unit}`;
  return [reported, components].filter(Boolean).join(': ');
};

export const airText = ({ weather, units }: Given): string => {
  const isInhg = units.pressure === 'inhg';
  const qnh = weather.qnh ?? (isInhg ? 29.92 : 1013);
  return `${decimal(weather.temperature)} °C, QNH ${isInhg ? `${qnh.toFixed(2)} inHg` : `${Number(qnh.toFixed(2))} hPa`}`;
};

export const notamText = ({ notam, units }: Given): string => {
  const unit = units.distance === 'meter' ? 'm' : 'ft';
  return [
    [notam?.shortenStart ?? 0, 'start'],
    [notam?.shortenEnd ?? 0, 'end'],
  ]
    .flatMap(([length, side]) =>
      Number(length) > 0 ? [`${separated(Number(length))} ${unit} closed at the ${side}`] : [],
    )
    .join(', ');
};

/** Condition in words, depth and code; `words` may already end with the code. */
export const surfaceText = (
  words: string,
  { runwayCondition: { depth }, units }: Pick<LandingRequest, 'runwayCondition' | 'units'>,
  rwycc: number | undefined,
): string =>
  [
    `${words.replace(/ \(\d\)$/, '')}${depth > 0 ? `: ${depth} ${units.depth}` : ''}`,
    ...(rwycc === undefined ? [] : [`RWYCC ${rwycc}`]),
  ].join(' · ');

/** Joined with no-break spaces, so that each part stays on one line. */
export const unbroken = (parts: readonly string[]): string =>
  parts.map((part) => part.replaceAll(' ', noBreak)).join(' · ');

export const lower = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Facts as names and values, without those that do not apply. */
export const listed = (list: readonly (readonly [string, string | undefined])[]): LandingScene['facts'] =>
  list.flatMap(([name, value]) => (value ? [{ name, value }] : []));

const systemsText = ({ reversers, speedbrake, antiIce }: DrawingWords): string =>
  unbroken([
    `reversers: ${lower(reversers)}`,
    `speedbrake: ${lower(speedbrake)}`,
    `anti-ice: ${lower(antiIce)}`,
  ]);

/** All inputs that the numbers depend on, as names and values, without those that do not apply. */
export const factsOf = (
  request: LandingRequest,
  performance: LandingPerformance,
  { words }: DrawingFacts,
): LandingScene['facts'] => {
  const { units } = request;
  const { limitedBy, isOverweightLanding, vRef, vApp, vrefLabel, ldgGaClimbGrad } = performance;
  const weight = [
    `${separated(performance.landingWeight)} ${units.weight}`,
    ...(limitedBy === null ? [] : [`limited by ${limitedBy}`]),
    ...(isOverweightLanding ? ['overweight'] : []),
  ].join(' · ');
  return listed([
    ['Landing', `${request.landingMode === 'inflight' ? 'in flight' : 'dispatch'} · ${weight}`],
    ['Speeds', `${vrefLabel} ${vRef} kt, VAPP ${vApp} kt · go-around gradient ${ldgGaClimbGrad} %`],
    ['Runway', surfaceText(words.condition, request, performance.rwycc)],
    ['Wind', windText(request, performance.windComponents)],
    ['Air', airText(request)],
    ['NOTAM', notamText(request)],
    ['Systems', systemsText(words)],
    ['Failure', words.nonNormal ?? undefined],
    ['MEL', words.mel.join(' · ')],
    ['CDL', words.cdl.join(' · ')],
  ]);
};
