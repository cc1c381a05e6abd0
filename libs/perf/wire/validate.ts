/** Checks a request against the user's subscription and the aircraft profile. */
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { closeName } from '#domain/fields/nearest.ts';
import { enrouteByCode, surfaceByCode } from '#domain/weather/condition-names.ts';
import type { Code } from '#domain/weather/condition-names.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import type { TakeoffRequest } from '#domain/performance/takeoff-request.ts';
import { autolandSuffix } from './aircraft.ts';
import type { Entitlements, FieldProblem, Refused } from './types.ts';

type Use = readonly [feature: keyof Entitlements, field: string, isUsed: boolean];

/** Non-normal condition of a landing in flight; null: none. */
export const failureOf = ({ landingMode, configuration }: LandingRequest): string | null => {
  const { nonNormalCondition } = configuration;
  return landingMode === 'inflight' && nonNormalCondition !== 'NONE' ? nonNormalCondition : null;
};

const takeoffUses = ({ intersection, runway }: TakeoffRequest): Use[] => [
  ['intersections', 'intersection', intersection !== null],
  ['intersections', 'runway', (typeof runway === 'string' ? runway : runway.ident).includes('/')],
];

/** First requested feature that the subscription lacks. */
const missingFeature = (request: LandingRequest | TakeoffRequest, entitlements: Entitlements) => {
  const { inopItems, notam, assess } = request;
  const isTakeoff = request.requestType === 'TAKEOFF';
  const uses: Use[] = [
    ['nnc', 'configuration.nonNormalCondition', !isTakeoff && failureOf(request) !== null],
    ['mel', 'inopItems.mel', inopItems.mel.length > 0],
    ['cdl', 'inopItems.cdl', inopItems.cdl.length > 0],
    ['notam', 'notam', notam !== null],
    ...(isTakeoff ? takeoffUses(request) : []),
    ['nnc', 'assess', assess],
  ];
  return uses.find(([feature, , isUsed]) => isUsed && entitlements[feature] !== true);
};

/** A requested flap value: flap code and whether autoland is requested. */
export const splitFlap = (value: string): { flap: string; autoland: boolean } =>
  value.endsWith(autolandSuffix)
    ? { flap: value.slice(0, -autolandSuffix.length), autoland: true }
    : { flap: value, autoland: false };

/** Values of `configuration.flap`. */
const landingFlaps = ({ family, flaps, landing }: AircraftProfile): string[] => [
  ...(family === 'A' ? ['OPTIMUM'] : []),
  ...flaps
    .filter((entry) => entry.landing)
    .flatMap(({ code, autolandAvailable }) => [
      code,
      ...(autolandAvailable && landing.autolandFlapsOption ? [`${code}${autolandSuffix}`] : []),
    ]),
];

/** A request value and its options. */
type Offer = readonly [
  field: string,
  value: string | null | undefined,
  offered: readonly (string | { value: string })[],
];

/** The option that a text stands for: `FLAPS 30` for 30, `1` for 1+F, `5/5/3` of a report for MEDIUM. */
const meantBy = (value: string, values: readonly string[]): string | null | undefined => {
  if (/^[1-6](?:\/[1-6]){2}$/.test(value)) {
    const code = Math.min(...value.split('/').map(Number)) as Code;
    return [enrouteByCode[code], surfaceByCode[code]].find((name) => values.includes(name));
  }
  const digits = value.replaceAll(/\D/g, '');
  // A different number is a different option, not a typo.
  if (digits === value) return values.find((one) => one.startsWith(`${value}+`));
  return closeName(value, values) ?? values.find((one) => one === digits);
};

/** Problem for a value outside the options. */
const problemOf = (variant: string, [field, value, list]: Offer): FieldProblem[] => {
  const values = list.map((entry) => (typeof entry === 'string' ? entry : entry.value));
  if (value === null || value === undefined || values.includes(value)) return [];
  const nearest = meantBy(value, values);
  const meant = !nearest ? '' : `; did you mean ${nearest}?`;
  const offered = values.length > 0 ? values.join(', ') : 'nothing';
  const message = `"${value}" is not one of the options of the ${variant}: ${offered}${meant}`;
  return [{ field, message }];
};

const itemOffers = ({ inopItems }: Pick<LandingRequest, 'inopItems'>, profile: AircraftProfile): Offer[] =>
  (['mel', 'cdl'] as const).flatMap((kind) =>
    inopItems[kind].map((code): Offer => [`inopItems.${kind}`, code, profile[kind]]),
  );

const inflightOffers = ({ configuration }: LandingRequest, profile: AircraftProfile): Offer[] => [
  [
    'configuration.autobrake',
    configuration.autobrake,
    [...(profile.family === 'B' ? ['ALL'] : []), ...profile.autobrakes],
  ],
  ['configuration.nonNormalCondition', configuration.nonNormalCondition, ['NONE', ...profile.nonNormal]],
];

/** Landing request values that the aircraft does not offer, by field. */
export const landingProblems = (request: LandingRequest, profile: AircraftProfile): FieldProblem[] => {
  const { configuration, weight, runwayCondition } = request;
  const { options, conditions } = profile;
  const isInflight = request.landingMode === 'inflight';
  const techniques = profile.family === 'A' ? ['AUTO_LDG', 'MANUAL'] : [];
  const offers: Offer[] = [
    ['configuration.flap', configuration.flap, landingFlaps(profile)],
    ['runwayCondition.state', runwayCondition.state, isInflight ? conditions.enroute : conditions.dispatch],
    ['configuration.antiIce', configuration.antiIce, options.antiIce],
    ['configuration.reverser', configuration.reverser, options.reversers],
    ['configuration.speedbrake', configuration.speedbrake, options.groundSpoilers],
    ['configuration.acBleed', configuration.acBleed, options.acBleed],
    ['weight.cgPosition', weight.cgPosition, options.cgPosition],
    ['configuration.approachType', configuration.approachType, options.approachType],
    ['configuration.landingTechnique', configuration.landingTechnique, techniques],
    ...(isInflight ? inflightOffers(request, profile) : []),
  ];
  const isWithoutWeight = isInflight && weight.landingWeight === null;
  const { variant } = profile.model;
  return [
    ...offers.flatMap((offer) => problemOf(variant, offer)),
    ...(isWithoutWeight ? [{ field: 'weight.landingWeight', message: 'is required in flight' }] : []),
    ...itemOffers(request, profile).flatMap((offer) => problemOf(variant, offer)),
  ];
};

/** The same for a takeoff request. */
const takeoffProblems = (request: TakeoffRequest, profile: AircraftProfile): FieldProblem[] => {
  const { configuration, weight, runwayCondition } = request;
  const { takeoff, options, conditions } = profile;
  const offers: Offer[] = [
    ['configuration.flap', configuration.flap, ['OPTIMUM', ...takeoff.flaps]],
    ['configuration.rating', configuration.rating, takeoff.ratings],
    ['configuration.antiIce', configuration.antiIce, options.antiIce],
    ['configuration.acBleed', configuration.acBleed, options.acBleed],
    ['configuration.improvedClimb', configuration.improvedClimb, takeoff.improved ? ['OFF', 'ON'] : ['OFF']],
    ['weight.cgPosition', weight.cgPosition, options.cgPosition],
    ['runwayCondition.state', runwayCondition.state, conditions.dispatch],
    ...itemOffers(request, profile),
  ];
  return offers.flatMap((offer) => problemOf(profile.model.variant, offer));
};

/** Reason not to calculate a request; null: none. */
export const refusedBy = (
  request: LandingRequest | TakeoffRequest,
  profile: AircraftProfile,
  entitlements: Entitlements,
): Refused | null => {
  const missing = missingFeature(request, entitlements);
  if (missing) return { kind: 'notEntitled', feature: missing[0], field: missing[1] };
  const details =
    request.requestType === 'TAKEOFF' ? takeoffProblems(request, profile) : landingProblems(request, profile);
  return details.length > 0 ? { kind: 'invalid', details } : null;
};
