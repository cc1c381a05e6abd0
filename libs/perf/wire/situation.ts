import { rounded } from '../landing/rounding.ts';
/** The parts of the situation that went into a calculation, with where they come from; and what of it was not used. */
import { defaultMacgPercent } from '#domain/airports/served.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import { partNames, situationParts } from '#domain/performance/situation/source.ts';
import type { PartSource, SituationPart } from '#domain/performance/situation/source.ts';
import { assumedTexts } from '#domain/performance/situation/weather.ts';
import { icingAtOrBelowC } from '../kernel/constants.ts';
import type { Cautions } from '../landing/caution-codes.ts';
import { shownPercent } from '../landing/rounding.ts';
import type { Applied, LandingCase } from '../landing/types.ts';
import type { TakeoffCase } from '../takeoff/types.ts';
import type { LandingInput } from './types.ts';
import type { Converter } from './units.ts';
import { told } from '../landing/told.ts';

/** What a landing and a takeoff request say of the situation alike. */
type Situation = Pick<LandingRequest, 'weather' | 'runwayCondition' | 'sources' | 'units'>;

const isAssumedIn = ({ weather, runwayCondition }: Situation, part: SituationPart): boolean =>
  part === 'runwayCondition' ? runwayCondition.isAssumed : weather.assumed.includes(part);

const sourceText = ({ source, at, text, ageMinutes }: PartSource): string => {
  const age = ageMinutes === null ? '' : `, ${ageMinutes} min before`;
  return [at === null ? source : `${source} ${at}${age}`, text].filter(Boolean).join(': ');
};

/** Named by the request, assumed where it is silent. */
const sourceOf = (request: Situation, part: SituationPart): string => {
  if (isAssumedIn(request, part)) return 'assumed';
  const given = request.sources[part];
  return given ? sourceText(given) : 'request';
};

/** The surface of a request in SI, with what its operator reports of it. */
export const conditionOf = (
  { state, depth, reportedCode, operator }: Situation['runwayCondition'],
  convert: Converter,
): TakeoffCase['condition'] => ({
  state,
  depthM: convert.fromDepth(depth),
  ...(reportedCode === undefined ? {} : { reportedCode }),
  ...(operator ? { operator } : {}),
});

/** Wind as printed in a report: `030/12G20`, `VRB/5`. */
export const windText = ({ windDirection, windSpeed, gust }: LandingRequest['weather']): string => {
  const from = windDirection === null ? 'VRB' : String(windDirection).padStart(3, '0');
  return `${from}/${windSpeed}${gust === null ? '' : `G${gust}`}`;
};

/** The missed approach climb gradient of the runway, percent. */
export const runwayGradientPercent = ({ runway }: Pick<LandingInput, 'runway'>): number =>
  runway.macgPercent ?? defaultMacgPercent;

const gradientSource = (input: LandingInput): string => {
  if (input.request.configuration.missedApproachClimbGradient !== null) return 'request';
  return runwayGradientPercent(input) === defaultMacgPercent ? 'PANS-OPS' : 'operator';
};

/** Options of the profile that the request did not name. */
const optionApplied = (
  name: string,
  given: string | null | undefined,
  used: string | null | undefined,
): Applied[] =>
  used === null || used === undefined ? [] : [told(name, used, '', given === used ? 'request' : 'profile')];

/** Wind, temperature, QNH and surface of a request, with where they come from. */
export const weatherApplied = (request: Situation): Applied[] => {
  const { weather, units, runwayCondition } = request;
  const { headwind } = weather;
  const depth = runwayCondition.depth > 0 ? ` ${runwayCondition.depth} ${units.depth}` : '';
  const qnh = weather.qnh ?? (units.pressure === 'inhg' ? 29.92 : 1013);
  return [
    told(
      'Wind',
      headwind === null ? windText(weather) : `${windText(weather)}, headwind ${headwind}`,
      units.wind === 'ms' ? 'm/s' : 'kt',
      sourceOf(request, 'wind'),
    ),
    told('Temperature', weather.temperature, 'C', sourceOf(request, 'temperature')),
    told('QNH', qnh, units.pressure === 'inhg' ? 'inHg' : 'hPa', sourceOf(request, 'qnh')),
    told('Runway condition', `${runwayCondition.state}${depth}`, '', sourceOf(request, 'runwayCondition')),
  ];
};

/** `given`: the request as sent; `input`: with the defaults of the profile. */
export const situationApplied = (
  given: LandingInput,
  input: LandingInput,
  landing: LandingCase,
): Applied[] => {
  const { configuration: sent } = given.request;
  const { configuration: used } = input.request;
  return [
    ...weatherApplied(input.request),
    told(
      'Missed approach climb gradient',
      rounded(landing.configuration.missedApproachGradient * 100, 2),
      '%',
      gradientSource(input),
    ),
    ...optionApplied('Anti-ice', sent.antiIce, used.antiIce),
    ...optionApplied('Reversers', sent.reverser, used.reverser),
    ...optionApplied('Ground spoilers', sent.speedbrake, used.speedbrake),
    ...optionApplied('Approach', sent.approachType, used.approachType),
  ];
};

/** What neither the request nor the report or plan that it is taken from says, with what was calculated with instead. */
const assumedParts = (request: Situation): string[] => {
  const { sources, weather, runwayCondition } = request;
  const silent = { ...assumedTexts, runwayCondition: runwayCondition.state.toLowerCase() };
  const parts = situationParts.flatMap((part) => {
    const given = sources[part];
    if (isAssumedIn(request, part)) return [`${partNames[part]} ${silent[part]}`];
    return given?.source === 'assumed' ? [`${partNames[part]} ${given.text ?? ''}`.trim()] : [];
  });
  const isAlongOnly =
    weather.headwind !== null && weather.windSpeed === 0 && !weather.assumed.includes('wind');
  return isAlongOnly ? [...parts, 'no wind across the runway'] : parts;
};

/** What is assumed, a wind of no direction, and ice that may form. */
export const weatherCautions = (
  request: Situation & { configuration: { antiIce?: string | undefined } },
  add: Cautions['add'],
): void => {
  const { weather, runwayCondition, configuration } = request;
  const assumed = assumedParts(request);
  if (assumed.length > 0) add('ASSUMED', 'advisory', { parts: assumed.join(', ') });
  if (weather.windDirection === null && weather.windSpeed > 0) add('VARIABLE_WIND', 'advisory', {});
  const { gust, windSpeed } = weather;
  if (gust !== null && gust > 0 && gust < windSpeed) add('GUST_BELOW_WIND', 'advisory', {});
  // Moisture on the runway is what a report of precipitation or fog leaves.
  const isMoist = weather.temperature <= icingAtOrBelowC && runwayCondition.state !== 'DRY';
  if (configuration.antiIce === 'OFF' && isMoist) add('ICING_ANTI_ICE_OFF', 'warning', {});
};

export const situationCautions = (input: LandingInput, { add }: Cautions): void => {
  weatherCautions(input.request, add);
  const percent = input.request.configuration.missedApproachClimbGradient;
  const required = runwayGradientPercent(input);
  if (percent !== null && shownPercent(percent) < shownPercent(required))
    add('GRADIENT_BELOW_RUNWAY', 'warning', { percent, required });
};
