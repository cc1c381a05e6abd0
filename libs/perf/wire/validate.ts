import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { closeName } from '#domain/fields/nearest.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import { autolandSuffix } from './aircraft.ts';
import type { Entitlements, Feature, FieldProblem } from './types.ts';

/** First feature that a request uses and the subscription lacks. */
export const missingFeature = (
  request: LandingRequest,
  entitlements: Entitlements,
): { feature: Feature; field: string } | null => {
  const { configuration, inopItems, notam, landingMode } = request;
  const nonNormal = configuration.nonNormalCondition;
  if (landingMode === 'inflight' && nonNormal !== null && nonNormal !== 'NONE' && !entitlements.nnc) {
    return { feature: 'nnc', field: 'configuration.nonNormalCondition' };
  }
  if (inopItems.mel.length > 0 && !entitlements.mel) return { feature: 'mel', field: 'inopItems.mel' };
  if (inopItems.cdl.length > 0 && !entitlements.cdl) return { feature: 'cdl', field: 'inopItems.cdl' };
  if (notam !== null && !entitlements.notam) return { feature: 'notam', field: 'notam' };
  if (request.assess && !entitlements.nnc) return { feature: 'nnc', field: 'assess' };
  return null;
};

/** A flap value of a request: flap code and whether autoland is requested. */
export const splitFlap = (value: string): { flap: string; autoland: boolean } =>
  value.endsWith(autolandSuffix)
    ? { flap: value.slice(0, -autolandSuffix.length), autoland: true }
    : { flap: value, autoland: false };

/** Values of `configuration.flap`. */
const landingFlaps = ({ family, flaps, landing }: AircraftProfile): { value: string }[] => [
  ...(family === 'A' ? [{ value: 'OPTIMUM' }] : []),
  ...flaps
    .filter((entry) => entry.landing)
    .flatMap(({ code, autolandAvailable }) => [
      { value: code },
      ...(autolandAvailable && landing.autolandFlapsOption ? [{ value: `${code}${autolandSuffix}` }] : []),
    ]),
];

type Among = (field: string, value: string | null | undefined, list: readonly { value: string }[]) => void;

/** Adds a problem for a value that a list of the profile does not offer. */
export const offeredBy =
  (problems: FieldProblem[]): Among =>
  (field, value, list) => {
    if (value === null || value === undefined || list.some((entry) => entry.value === value)) return;
    const values = list.map((entry) => entry.value);
    const digits = value.replaceAll(/\D/g, '');
    // Another number is another option, not a slip; `FLAPS 30` is 30.
    const nearest =
      digits === value ? null : (closeName(value, values) ?? values.find((one) => one === digits));
    const meant = !nearest ? '' : `; did you mean ${nearest}?`;
    const offered = values.length > 0 ? values.join(', ') : 'nothing';
    problems.push({
      field,
      message: `"${value}" is not one of the options of the query aircraft: ${offered}${meant}`,
    });
  };

/** Every value of a request that is not an option of the aircraft, by field. Empty when all are. */
export const optionProblems = (request: LandingRequest, profile: AircraftProfile): FieldProblem[] => {
  const problems: FieldProblem[] = [];
  const inflight = request.landingMode === 'inflight';
  const { configuration, weight, inopItems, runwayCondition } = request;
  const among = offeredBy(problems);
  among('configuration.flap', configuration.flap, landingFlaps(profile));
  const conditions = inflight ? profile.conditions.enroute : profile.conditions.dispatch;
  among('runwayCondition.state', runwayCondition.state, conditions);
  among('configuration.antiIce', configuration.antiIce, profile.options.antiIce);
  among('configuration.reverser', configuration.reverser, profile.options.reversers);
  among('configuration.speedbrake', configuration.speedbrake, profile.options.groundSpoilers);
  among('configuration.acBleed', configuration.acBleed, profile.options.acBleed);
  among('weight.cgPosition', weight.cgPosition, profile.options.cgPosition);
  among('configuration.approachType', configuration.approachType, profile.options.approachType);
  among(
    'configuration.landingTechnique',
    configuration.landingTechnique,
    profile.family === 'A' ? [{ value: 'AUTO_LDG' }, { value: 'MANUAL' }] : [],
  );
  if (inflight) {
    const all = profile.family === 'B' ? [{ value: 'ALL' }] : [];
    among('configuration.autobrake', configuration.autobrake, [...all, ...profile.autobrakes]);
    among('configuration.nonNormalCondition', configuration.nonNormalCondition, [
      { value: 'NONE' },
      ...profile.nonNormal,
    ]);
    if (weight.landingWeight === null) {
      problems.push({ field: 'weight.landingWeight', message: 'is required in flight' });
    }
  }
  for (const kind of ['mel', 'cdl'] as const) {
    for (const code of inopItems[kind]) among(`inopItems.${kind}`, code, profile[kind]);
  }
  return problems;
};
