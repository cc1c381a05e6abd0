/** The aircraft of a fleet profile: the standard one with the JSON of the chain over it. */
import type { z } from 'zod';
import { aircraftProfileSchema } from '../aircraft/profile.ts';
import type { AircraftProfile } from '../aircraft/profile.ts';
import { parseKnown } from '../fields/parse.ts';
import { mergeProfiles } from './merge.ts';
import type { JsonObject } from './merge.ts';
import { nodeProblem } from './profile-data.ts';
import { implausibleWeights } from './weights.ts';

/** Problems that only the engine sees, as `path: reason`; golden points count if the profile has some itself. */
type EngineCheck = (profile: AircraftProfile, hasGoldenPoints: boolean) => readonly string[];

/** How the profile is called in answers; it is not part of the stored JSON. */
interface FleetIdentity {
  registration: string;
  vaName: string | null;
}

export type FleetAircraft =
  | { readonly profile: AircraftProfile }
  /** `path: reason` each. */
  | { readonly problems: readonly string[] };

const sectionsSchema = aircraftProfileSchema.pick({ profile: true, model: true });

/** What lists show of a merged aircraft. Throws a ZodError. */
export const fleetSections = ({ profile, model }: JsonObject): z.output<typeof sectionsSchema> =>
  sectionsSchema.parse(parseKnown(sectionsSchema, { profile, model }).known);

const maxProblems = 20;
/** Each of them is a calculation. */
const maxGoldenPoints = 20;

/** Merges a chain, the profile itself first and its most distant ancestor last. */
export const mergeChain = (chain: readonly JsonObject[]): JsonObject =>
  chain.toReversed().reduce((parent, child) => mergeProfiles(parent, child), {});

/** Everything merged, not validated. */
export const mergedJson = (
  standard: AircraftProfile,
  chain: readonly JsonObject[],
  { registration, vaName }: FleetIdentity,
): JsonObject => {
  const merged = mergeProfiles({ ...standard }, mergeChain(chain));
  const named = { profile: { userRegistration: registration, virtualAirline: vaName } };
  return mergeProfiles(merged, named);
};

/** The aircraft of a chain, the profile itself first, or every reason for which the engine would refuse it. */
export const fleetAircraft = (
  standard: AircraftProfile,
  chain: readonly JsonObject[],
  identity: FleetIdentity,
  check: EngineCheck,
): FleetAircraft => {
  const merged = mergedJson(standard, chain, identity);
  const tooMuch = nodeProblem(merged);
  if (tooMuch !== null) return { problems: [tooMuch] };
  // A stored profile may have members that earlier versions read.
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
