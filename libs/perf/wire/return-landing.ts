import { landingRequestSchema } from '#domain/performance/request.ts';
import type { TakeoffPerformanceAnswer } from '#domain/performance/takeoff-result.ts';
import { mToFt } from '../kernel/units.ts';
import { structuralKg } from '../landing/profile-lookup.ts';
import { performLanding } from './landing.ts';
import { runwayUsed } from './takeoff-case.ts';
import type { TakeoffInput } from './types.ts';
import type { Converter } from './units.ts';

/** Defaults of the dispatch landing. */
const silent = landingRequestSchema.parse({
  requestType: 'LANDING',
  aircraft: { file: '-' },
  airport: 'XXXX',
  runway: '-',
});
/** The takeoff request was already checked against the subscription; a balked landing limits no dispatch weight. */
const entitlements = { nnc: true, mel: true, cdl: true, notam: true, balkedLanding: false };

/** Dispatch landing on the takeoff runway, in the same weather and with the same items, as `performance` answers it. */
const landingBack = ({ request, profile, landing, runway }: TakeoffInput, convert: Converter) => {
  if (!landing || landing.runway.ldaM <= 0) return null;
  const { units, weather, inopItems, notam } = request;
  const { antiIce, acBleed } = request.configuration;
  const { cg, cgPosition } = request.weight;
  const { slopePercent, elevationM } = runwayUsed({ request, runway }, convert);
  const performed = performLanding({
    request: {
      ...silent,
      units,
      weather,
      inopItems,
      notam,
      runwayCondition: landing.runwayCondition,
      configuration: { ...silent.configuration, antiIce, acBleed },
      weight: { ...silent.weight, cg, cgPosition },
    },
    profile,
    runway: { ...landing.runway, slopePercent, elevationFt: mToFt(elevationM) },
    entitlements,
  });
  return performed.kind === 'answer' ? (performed.answer.performance ?? null) : null;
};

/** Landing weight for an immediate return to the departure runway; null without a weight. */
export const returnLandingOf = (
  input: TakeoffInput,
  massKg: number | undefined,
  convert: Converter,
): TakeoffPerformanceAnswer['returnLanding'] => {
  if (massKg === undefined) return null;
  const structKg = structuralKg(input.profile);
  const landing = landingBack(input, convert);
  return {
    maxLandingWeight: convert.weightDown(structKg),
    isOverweight: massKg > structKg,
    limitWeight: landing && landing.landingWeight,
    limitedBy: landing && landing.limitedBy,
  };
};
