/** The aircraft of a fleet profile: the standard aircraft, overridden by the JSON of the chain. */
import type { z } from 'zod';
import { aircraftProfileSchema } from '../aircraft/profile.ts';
import type { AircraftProfile } from '../aircraft/profile.ts';
import { parseKnown } from '../fields/parse.ts';
import { mergeProfiles } from './merge.ts';
import type { JsonObject } from './merge.ts';
import { nodeProblem } from './profile-data.ts';
import { implausibleWeights } from './weights.ts';

/** Problems found only by the engine, as `path: reason`; golden points count if the profile has its own. */
type EngineCheck = (profile: AircraftProfile, hasGoldenPoints: boolean) => readonly string[];

/** The profile's names in answers, which are not part of the stored JSON. */
interface FleetIdentity {
  registration: string;
  vaName: string | null;
}

export type FleetAircraft =
  | { readonly profile: AircraftProfile }
  /** Each as `path: reason`. */
  | { readonly problems: readonly string[] };

const sectionsSchema = aircraftProfileSchema.pick({ profile: true, model: true });

/** The sections of a merged aircraft shown in lists. Throws a ZodError. */
export const fleetSections = ({ profile, model }: JsonObject): z.output<typeof sectionsSchema> =>
  sectionsSchema.parse(parseKnown(sectionsSchema, { profile, model }).known);

const maxProblems = 20;
/** Each point costs a calculation. */
const maxGoldenPoints = 20;

/** Merges a chain that starts with the profile and ends with its most distant ancestor. */
export const mergeChain = (chain: readonly JsonObject[]): JsonObject =>
  chain.toReversed().reduce((parent, child) => mergeProfiles(parent, child), {});

/** The merged JSON, not validated. */
export const mergedJson = (
  standard: AircraftProfile,
  chain: readonly JsonObject[],
  { registration, vaName }: FleetIdentity,
): JsonObject => {
  const merged = mergeProfiles({ ...standard }, mergeChain(chain));
  const named = { profile: { userRegistration: registration, virtualAirline: vaName } };
  return mergeProfiles(merged, named);
};

/** The aircraft of a chain that starts with the profile, or all reasons why the engine would refuse it. */
export const fleetAircraft = (
  standard: AircraftProfile,
  chain: readonly JsonObject[],
  identity: FleetIdentity,
  check: EngineCheck,
): FleetAircraft => {
  const merged = mergedJson(standard, chain, identity);
  const tooMuch = nodeProblem(merged);
  if (tooMuch !== null) return { problems: [tooMuch] };
  // Stored profiles may have members that only earlier versions knew.
  const { parsed } = parseKnown(aircraftProfileSchema, merged);
  if (!parsed.success) {
    const { issues } = parsed.error;
    return {
      problems: issues.slice(0, maxProblems).map(({ path, message }) => `${path.join('.')}: ${message}`),
    };
  }
  const profile = parsed.data as AircraftProfile;
  const hasGoldenPoints = chain[0] !== undefined && Object.hasOwn(chain[0], 'vectors');
  if (hasGoldenPoints && profile.vectors.length > maxGoldenPoints)
    return { problems: [`vectors: at most ${maxGoldenPoints} golden points`] };
  const weights = implausibleWeights(standard, profile);
  if (weights.length > 0) return { problems: weights };
  const problems = check(profile, hasGoldenPoints);
  return problems.length > 0 ? { problems: problems.slice(0, maxProblems) } : { profile };
};
