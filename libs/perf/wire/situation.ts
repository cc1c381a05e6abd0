/** Weather and runway condition used in a calculation, with their sources, and anything left unused. */
import { defaultMacgPercent } from '#domain/airports/served.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import { partNames, situationParts } from '#domain/performance/situation/source.ts';
import type { PartSource, SituationPart } from '#domain/performance/situation/source.ts';
import { assumedTexts } from '#domain/performance/situation/weather.ts';
import { icingAtOrBelowC } from '../kernel/constants.ts';
import type { Cautions } from '../landing/caution-codes.ts';
import { rounded, shownPercent } from '../landing/rounding.ts';
import type { Applied, LandingCase } from '../landing/types.ts';
import type { TakeoffCase } from '../takeoff/types.ts';
import type { LandingInput } from './types.ts';
import type { Converter } from './units.ts';
import { appliedItem } from '../landing/types.ts';

/** Situation fields common to landing and takeoff requests. */
type Situation = Pick<LandingRequest, 'weather' | 'runwayCondition' | 'sources' | 'units'>;

const isAssumedIn = ({ weather, runwayCondition }: Situation, part: SituationPart): boolean =>
  part === 'runwayCondition' ? runwayCondition.isAssumed : weather.assumed.includes(part);

const sourceText = ({ source, at, text, ageMinutes }: PartSource): string => {
  const age = ageMinutes === null ? '' : `, ${ageMinutes} min before`;
  return [at === null ? source : `${source} ${at}${age}`, text].filter(Boolean).join(': ');
};

/** From the request, or assumed. */
const sourceOf = (request: Situation, part: SituationPart): string => {
  if (isAssumedIn(request, part)) return 'assumed';
  const given = request.sources[part];
  return given ? sourceText(given) : 'request';
};

/** The requested runway surface in SI, with the aerodrome operator's report. */
export const conditionOf = (
  { state, depth, reportedCode, operator }: Situation['runwayCondition'],
  convert: Converter,
): TakeoffCase['condition'] => ({
  state,
  depthM: convert.fromDepth(depth),
  reportedCode,
  operator: operator ?? undefined,
});

/** Wind as printed in a report: `030/12G20`, `VRB/5`. */
const windText = ({ windDirection, windSpeed, gust }: LandingRequest['weather']): string => {
  const from = windDirection === null ? 'VRB' : String(windDirection).padStart(3, '0');
  return `${from}/${windSpeed}${gust === null ? '' : `G${gust}`}`;
};

const gradientSource = ({ request, runway }: LandingInput): string => {
  if (request.configuration.missedApproachClimbGradient !== null) return 'request';
  return runway.macgPercent === defaultMacgPercent ? 'PANS-OPS' : 'operator';
};

/** Profile options the request did not set. */
const optionApplied = (
  name: string,
  given: string | null | undefined,
  used: string | null | undefined,
): Applied[] =>
  used === null || used === undefined
    ? []
    : [appliedItem(name, used, '', given === used ? 'request' : 'profile')];

/** Wind, temperature, QNH and surface of a request, with their sources. */
export const weatherApplied = (request: Situation): Applied[] => {
  const { weather, units, runwayCondition } = request;
  const { headwind } = weather;
  const depth = runwayCondition.depth > 0 ? ` ${runwayCondition.depth} ${units.depth}` : '';
  const qnh = weather.qnh ?? (units.pressure === 'inhg' ? 29.92 : 1013);
  return [
    appliedItem(
      'Wind',
      headwind === null ? windText(weather) : `${windText(weather)}, headwind ${headwind}`,
      units.wind === 'ms' ? 'm/s' : 'kt',
      sourceOf(request, 'wind'),
    ),
    appliedItem('Temperature', weather.temperature, 'C', sourceOf(request, 'temperature')),
    appliedItem('QNH', qnh, units.pressure === 'inhg' ? 'inHg' : 'hPa', sourceOf(request, 'qnh')),
    appliedItem(
      'Runway condition',
      `${runwayCondition.state}${depth}`,
      '',
      sourceOf(request, 'runwayCondition'),
    ),
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
    appliedItem(
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

/** Values missing from the request, report and plan, with the assumptions used instead. */
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

/** Assumptions, a variable wind, and possible icing. */
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
  // Reported precipitation or fog implies moisture on the runway.
  const isMoist = weather.temperature <= icingAtOrBelowC && runwayCondition.state !== 'DRY';
  if (configuration.antiIce === 'OFF' && isMoist) add('ICING_ANTI_ICE_OFF', 'warning', {});
};

export const situationCautions = ({ request, runway }: LandingInput, { add }: Cautions): void => {
  weatherCautions(request, add);
  const percent = request.configuration.missedApproachClimbGradient;
  const required = runway.macgPercent;
  if (percent !== null && shownPercent(percent) < shownPercent(required))
    add('GRADIENT_BELOW_RUNWAY', 'warning', { percent, required });
};
