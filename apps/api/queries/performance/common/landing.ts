import { plainCaution } from '#domain/performance/caution.ts';
import type { CautionAnswer } from '#domain/performance/caution.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import type { Entitlements, LandingInput, LandingPerformed, RunwayFacts } from '#perf/wire/types.ts';
import { withLandingDefaults } from '#perf/wire/profile-defaults.ts';
import { landingProblems } from '#perf/wire/validate.ts';
import type { SentLanding } from '#domain/performance/performance-request.ts';
import { sourceCautions } from '#domain/performance/situation/source.ts';
import type { Entitlement } from '#domain/subscriptions/entitlement.ts';
import type { NoticeInForce } from '#domain/notam/asked-runway.ts';
import type { LandingRunway } from '#domain/notam/landing-runway.ts';
import { performLanding } from '#perf/wire/landing.ts';
import { converter } from '#perf/wire/units.ts';
import type { Converter } from '#perf/wire/units.ts';
import { answeredOr } from './performance.ts';
import type { PerformanceContext, Scene } from './performance.ts';
import { withOfficialCondition } from './official-condition.ts';

// A landing request without landingMode, which may mean dispatch or in flight.

/** Request values used only in flight. */
const inflightFields = ({ weight, configuration }: LandingRequest): string[] =>
  Object.entries({
    'weight.landingWeight': weight.landingWeight,
    'configuration.autobrake': configuration.autobrake,
    'configuration.nonNormalCondition': configuration.nonNormalCondition,
    'configuration.vrefAdditive': configuration.vrefAdditive,
  }).flatMap(([field, value]) => (value === null ? [] : [field]));

/** An assumed dispatch that fails: landingMode is reported first, or alone if the request works in flight. */
const aboutMode = (outcome: LandingPerformed, { request, profile }: LandingInput): LandingPerformed => {
  if (outcome.kind !== 'invalid') return outcome;
  const inflight = withLandingDefaults({ ...request, landingMode: 'inflight' }, profile);
  const isInflight = landingProblems(inflight, profile).length === 0;
  const field = 'landingMode';
  const message = isInflight
    ? `is required: ${outcome.details.map((problem) => problem.field).join(', ')} fits "inflight", not "dispatch"`
    : 'is missing; "dispatch" was assumed';
  return { kind: 'invalid', details: [{ field, message }, ...(isInflight ? [] : outcome.details)] };
};

/** Warns that a dispatch was assumed if the request has values that a dispatch ignores. */
const modeCautions = (request: LandingRequest): CautionAnswer[] => {
  const ignored = inflightFields(request);
  if (ignored.length === 0) return [];
  const text = `landingMode is missing, so "dispatch" was assumed; ${ignored.join(', ')} counts only with "inflight".`;
  return [plainCaution('LANDING_MODE_ASSUMED', text, 'landingMode')];
};

/** The runway as input for the engine. */
export const runwayFacts = ({
  id,
  end,
  exits,
  ldaInForceM,
}: Pick<LandingRunway, 'id' | 'end' | 'exits' | 'ldaInForceM'>): RunwayFacts => ({
  ident: id,
  ldaM: end.distances.lda.valueM,
  ldaInForceM,
  lengthM: end.lengthM,
  elevationFt: end.thresholdElevationFt ?? 0,
  slopePercent: end.slopePercent,
  trueBearingDeg: end.trueBearingDeg,
  widthM: end.widthM,
  exits: exits.map(({ name, distanceM, angleDeg }) => ({
    name,
    distanceM,
    ...(angleDeg === null ? {} : { angleDeg }),
  })),
  macgPercent: end.macgPercent,
  standardEfp: end.efpKind === 'std',
  efpText: end.efpText,
});

/** A NOTAM text in metres, with feet added for requests in feet. */
const noticeText = (text: string, convert: Converter): string =>
  convert.distanceUnit === 'm'
    ? text
    : text.replaceAll(
        /(\d+(?:\.\d+)?) m\b/g,
        (metres, number) => `${metres} (${convert.distanceUp(Number(number))} ft)`,
      );

/** Distances under NOTAM in force that the answer does not account for, in its units. */
export const inForceAnswer = <Name extends 'lda' | 'tora'>(
  { noticesInForce }: { noticesInForce: readonly NoticeInForce[] },
  { units }: Pick<LandingRequest, 'units'>,
  { notam: hasNotams }: Pick<Entitlements, 'notam'>,
  name: Name,
) => {
  const convert = converter(units);
  return noticesInForce.map(({ runway, notam, text, availableM, usedM }) => {
    const available = convert.availableDown(availableM);
    return {
      runway: hasNotams ? runway : null,
      missingFeature: hasNotams ? null : ('notam' as const),
      notam,
      text: noticeText(text, convert),
      ...({ [name]: available } as Record<Name, number>),
      difference: available - convert.availableDown(usedM),
    };
  });
};

/** Says which code was used for a former one. */
export const airportCautions = (given: string, icao: string): CautionAnswer[] =>
  given === icao
    ? []
    : [plainCaution('FORMER_ICAO', `${given} is a former code of ${icao}, whose data were used.`, 'airport')];

const computed = {
  lda: plainCaution(
    'LDA_COMPUTED',
    'The landing distance available was computed from runway length and displaced threshold; there is no declared distance.',
    'performance.lda',
  ),
  tora: plainCaution(
    'TORA_COMPUTED',
    'The distances available were computed from the runway length; there are no declared distances.',
    'performance.tora',
  ),
};

/** Cautions about missing airport data, NOTAM that the calculation ignores, and weather that is old at `at`. */
export const runwayCautions = (
  { end, notices }: Pick<LandingRunway, 'end' | 'notices'>,
  { units, sources }: Pick<LandingRequest, 'units' | 'sources'>,
  distance: keyof typeof computed,
  at: Date,
): CautionAnswer[] => [
  ...(end.thresholdElevationFt === null
    ? [plainCaution('ELEVATION_ASSUMED', 'The runway elevation is unknown; sea level was assumed.', 'runway')]
    : []),
  ...(end.distances[distance].source === 'derived' ? [computed[distance]] : []),
  ...notices.map((text) => plainCaution('NOTAM_NOT_INCLUDED', noticeText(text, converter(units)), 'runway')),
  ...sourceCautions(sources, at),
];

export const entitlementsOf = ({ product }: Entitlement): Entitlements => ({
  nnc: product.isNnc,
  mel: product.isMel,
  cdl: product.isCdl,
  notam: product.isNotam,
  balkedLanding: product.isBalkedLanding,
  intersections: product.isAllIntersections,
});

/** A landing on an open runway, with its cautions; null if braking action is reported as NIL. */
export const landingOn = async (
  ctx: PerformanceContext,
  scene: Scene,
  runway: LandingRunway,
  { request, isModeAssumed }: Pick<SentLanding, 'request' | 'isModeAssumed'>,
  at: Date,
) => {
  const { profile } = scene.loaded;
  const entitlements = entitlementsOf(ctx.caller.entitlement);
  const use = request.landingMode === 'inflight' ? 'arrival' : 'landing';
  const conditioned = withOfficialCondition(request, scene, runway.end.ident, at, use);
  if (conditioned.isNil) return null;
  const input = { request: conditioned.request, profile, runway: runwayFacts(runway), entitlements };
  const outcome = performLanding(input);
  return {
    ...(await answeredOr(ctx, isModeAssumed ? aboutMode(outcome, input) : outcome)),
    cautions: [
      ...(isModeAssumed ? modeCautions(request) : []),
      ...runwayCautions(runway, request, 'lda', at),
      ...conditioned.cautions,
    ],
    evidence: conditioned.evidence,
    noticesInForce: inForceAnswer(runway, request, entitlements, 'lda'),
  };
};
