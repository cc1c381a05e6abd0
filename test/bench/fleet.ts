/** Profiles of fleets: merging and checking, without the service. The aim: a merge of 1 MB in less than 5 ms. */
import { loadProfiles } from '#data/aircraft/profiles.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { fleetAircraft } from '#domain/fleet/aircraft.ts';
import { mergeProfiles } from '#domain/fleet/merge.ts';
import type { JsonObject } from '#domain/fleet/merge.ts';
import { maxLinks } from '#domain/fleet/chain.ts';
import { maxProfileBytes, nodeProblem, profileDataProblem } from '#domain/fleet/profile-data.ts';
import { checkFleetProfile, checkProfile } from '#perf/check/profile.ts';

const samples = 30;
const mergeLimitMs = 5;

const medianOf = (work: () => unknown): number => {
  for (let i = 0; i < 5; i += 1) work();
  const times = Array.from({ length: samples }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return times.toSorted((a, b) => a - b)[samples / 2] ?? Number.NaN;
};

/** Copies of a profile's blocks under other names, of nearly the largest size: objects as they are in practice. */
const megabyte = (profile: AircraftProfile): JsonObject => {
  const copies = Math.floor(maxProfileBytes / (JSON.stringify(profile).length + 20));
  const entries = Array.from({ length: copies }, (_, i) => [`copy${i}`, profile]);
  return JSON.parse(JSON.stringify(Object.fromEntries(entries))) as JsonObject;
};

/** The worst for a merge: nothing but small objects. */
const manyObjects = (): JsonObject =>
  Object.fromEntries(Array.from({ length: 46_000 }, (_, i) => [`k${i}`, { a: i, b: 1 }]));

export const run = async (): Promise<void> => {
  const profiles = await loadProfiles(checkProfile);
  const standard = profiles.get('A320-214');
  if (!standard) throw new Error('no A320-214');
  const show = (what: string, ms: number) =>
    console.log(`  ${what.padEnd(60)} ${ms.toFixed(3).padStart(8)} ms`);
  const [parent, child] = [megabyte(standard), megabyte(standard)];
  const megabytes = (JSON.stringify(child).length / 1e6).toFixed(2);
  const merge = medianOf(() => mergeProfiles(parent, child));
  show(`merge of ${megabytes} MB over as much`, merge);
  const [many, others] = [manyObjects(), manyObjects()];
  show(
    `the same of ${Object.keys(many).length} small objects (${(JSON.stringify(many).length / 1e6).toFixed(2)} MB)`,
    medianOf(() => mergeProfiles(many, others)),
  );
  show(
    'keys, values and depth of 1 MB',
    medianOf(() => nodeProblem(child)),
  );
  show(
    'all checks of 1 MB as received',
    medianOf(() => profileDataProblem(child)),
  );
  const override = { weight: { mslw: 64_000 }, profile: { title: 'Mine' } };
  const chain = Array.from({ length: maxLinks }, () => override);
  const identity = { registration: 'D-AIZA', vaName: null };
  show(
    `chain of ${maxLinks} merged, parsed and checked by the engine`,
    medianOf(() => fleetAircraft(standard, chain, identity, checkFleetProfile)),
  );
  show(
    'the same with 1 MB at each link',
    medianOf(() =>
      fleetAircraft(
        standard,
        chain.map((own) => ({ ...own, ...child })),
        identity,
        checkFleetProfile,
      ),
    ),
  );
  console.log(`  the merge ${merge < mergeLimitMs ? 'is' : 'IS NOT'} below ${mergeLimitMs} ms`);
};
