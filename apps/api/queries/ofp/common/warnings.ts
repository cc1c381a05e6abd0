import { isIcaoCode } from '#domain/airports/ident.ts';
import { runwayOf } from '#domain/ofp/performance-defaults.ts';
import type { PlannedAirport } from '#domain/ofp/planned.ts';
import { checkWeights } from '#domain/ofp/profile-match.ts';
import type { Matched } from '#domain/ofp/profile-match.ts';
import { warnOfRunway } from '#domain/ofp/runway-warnings.ts';
import type { PlannedRunway } from '#domain/ofp/runway-warnings.ts';
import { staleMs } from '#domain/ofp/summary.ts';
import { createWarnings } from '#domain/ofp/warnings.ts';
import type { OfpWarning, Warnings } from '#domain/ofp/warnings.ts';
import type { UserPreferences } from '#domain/users/preferences.ts';
import type { ParsedPlan } from '#data/ofp/parse.ts';
import { airportWithNotams, icaosOf, ofIcaos } from '../../airports/common/icaos.ts';
import { latest } from '../../weather/common/stations.ts';
import type { Caches } from '../../../services/caches.ts';
import type { StoredImport } from './store.ts';

interface WarningCall {
  caches: Pick<Caches, 'airports' | 'icaoGroups' | 'notams' | 'tafs'>;
  now: Date;
}

const plannedRunway = async (
  use: PlannedRunway['use'],
  airport: PlannedAirport,
  runway: string | null,
  at: string | null,
  { caches }: WarningCall,
): Promise<PlannedRunway | null> => {
  const { icao } = airport;
  if (icao === null || runway === null || at === null || !isIcaoCode(icao)) return null;
  const stored = await ofIcaos(caches.tafs, await icaosOf(caches, icao));
  const current = latest(stored, ({ issuedAt }) => issuedAt);
  const ofPlan = airport.taf === null ? null : { raw: airport.taf, issuedAt: null };
  return { use, icao, runway, at, taf: current ?? ofPlan };
};

/** Of the runways of takeoff and landing; of airports that are not known, nothing. */
const warnOfRunways = async (
  { core, facts }: ParsedPlan,
  matched: Matched | null,
  call: WarningCall,
  found: Warnings,
): Promise<void> => {
  const { origin, destination, takeoff, landing } = core;
  const planned = await Promise.all([
    plannedRunway('takeoff', origin, runwayOf(origin, takeoff), facts.estimatedOff, call),
    plannedRunway('landing', destination, runwayOf(destination, landing), facts.estimatedOn, call),
  ]);
  for (const each of planned) {
    if (!each) continue;
    const { known, notams } = await airportWithNotams(call.caches, each.icao);
    if (known) warnOfRunway(each, known, notams, matched?.candidate.windLimits ?? null, call.now, found);
  }
};

/** Clocks of planners differ by less. */
const toleratedClockMs = 3_600_000;

const ageMs = (at: Date | null, now: Date): number => (at === null ? 0 : now.getTime() - at.getTime());

/** What the user should know of an import: of the plan as a whole first, then of its values. */
export const importWarnings = async (
  plan: ParsedPlan,
  { decision, before }: StoredImport,
  matched: Matched | null,
  { planner }: UserPreferences,
  call: WarningCall,
): Promise<OfpWarning[]> => {
  const { core, facts, ids, warnings } = plan;
  const found = createWarnings();
  const generatedAt = ids.generatedAt === null ? null : new Date(ids.generatedAt);
  if (ageMs(generatedAt, call.now) > staleMs)
    found.add('OFP_OLDER_THAN_24H', 'params.time_generated', 'The plan is older than 24 hours.');
  if (ageMs(generatedAt, call.now) < -toleratedClockMs)
    found.add('GENERATED_IN_FUTURE', 'params.time_generated', 'The plan is dated in the future.');
  const outAt = facts.estimatedOut === null ? null : new Date(facts.estimatedOut);
  if (ageMs(outAt, call.now) > staleMs)
    found.add('FLIGHT_IS_OVER', 'times.est_out', 'The flight was to depart more than 24 hours ago.');
  if (decision.kind === 'unchanged' && decision.isOlder)
    found.add('OLDER_THAN_STORED', 'params.time_generated', 'The stored plan is newer and was kept.');
  const isOther = (side: 'origin' | 'destination') => before && before.facts[side].icao !== facts[side].icao;
  if (decision.kind === 'update' && (isOther('origin') || isOther('destination')))
    found.add('DIFFERENT_FLIGHT', 'origin', 'The plan that was replaced is of another flight.');
  if (matched?.conflict) {
    const { file, userRegistration, type } = matched.conflict;
    found.add(
      'PROFILE_CONFLICT',
      'aircraft.icaocode',
      `The plan is for ${core.aircraft.icao ?? core.aircraft.baseType}, the profile ${file} of ${userRegistration} is a ${type}: check which aircraft is meant.`,
    );
  }
  if (matched) checkWeights(core, matched.candidate, planner.plannerLoadDeviation, found);
  await warnOfRunways(plan, matched, call, found);
  return [...found.list(), ...warnings];
};
