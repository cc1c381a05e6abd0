import { checkWeights } from '#domain/ofp/profile-match.ts';
import type { Matched } from '#domain/ofp/profile-match.ts';
import { warnOfRunway } from '#domain/ofp/runway-warnings.ts';
import { staleMs } from '#domain/ofp/summary.ts';
import { createWarnings } from '#domain/ofp/warnings.ts';
import type { OfpWarning, Warnings } from '#domain/ofp/warnings.ts';
import type { UserPreferences } from '#domain/users/preferences.ts';
import type { ParsedPlan } from '#data/ofp/parse.ts';
import { windCautionsOf } from '#perf/wire/wind.ts';
import type { StoredImport } from './store.ts';
import type { FlightUses } from './uses.ts';

/** Of the runways of takeoff and landing; of airports that are not known, nothing. */
const warnOfRunways = (
  { departure, arrival }: FlightUses,
  { facts }: ParsedPlan,
  matched: Matched | null,
  now: Date,
  found: Warnings,
): void => {
  const planned = [
    { ...departure, use: 'takeoff' as const, time: facts.estimatedOff },
    { ...arrival, use: 'landing' as const, time: facts.estimatedOn },
  ];
  for (const { station, runway, situation, use, time: at } of planned) {
    if (!station?.known || runway === null || at === null) continue;
    const { icao, known, notams } = station;
    const cautions = matched && windCautionsOf(matched.candidate.profile);
    warnOfRunway({ use, icao, runway, at, situation }, known, notams, cautions, now, found);
  }
};

/** Clocks of planners differ by less. */
const toleratedClockMs = 3_600_000;

const ageMs = (at: Date | null, now: Date): number => (at === null ? 0 : now.getTime() - at.getTime());

/** What the user should know of an import: of the plan as a whole first, then of its values. */
export const importWarnings = (
  plan: ParsedPlan,
  { decision, before }: StoredImport,
  matched: Matched | null,
  { planner }: UserPreferences,
  uses: FlightUses,
  now: Date,
): OfpWarning[] => {
  const { core, facts, ids, warnings } = plan;
  const found = createWarnings();
  const generatedAt = ids.generatedAt === null ? null : new Date(ids.generatedAt);
  if (ageMs(generatedAt, now) > staleMs)
    found.add('OFP_OLDER_THAN_24H', 'params.time_generated', 'The plan is older than 24 hours.');
  if (ageMs(generatedAt, now) < -toleratedClockMs)
    found.add('GENERATED_IN_FUTURE', 'params.time_generated', 'The plan is dated in the future.');
  const outAt = facts.estimatedOut === null ? null : new Date(facts.estimatedOut);
  if (ageMs(outAt, now) > staleMs)
    found.add('FLIGHT_IS_OVER', 'times.est_out', 'The flight was to depart more than 24 hours ago.');
  if (decision.kind === 'unchanged' && decision.isOlder)
    found.add('OLDER_THAN_STORED', 'params.time_generated', 'The stored plan is newer and was kept.');
  const isOther = (side: 'origin' | 'destination') => before && before.facts[side].icao !== facts[side].icao;
  if (decision.kind === 'update' && (isOther('origin') || isOther('destination')))
    found.add('DIFFERENT_FLIGHT', 'origin', 'The plan that was replaced is of another flight.');
  if (!matched && (core.aircraft.icao ?? core.aircraft.baseType) !== null)
    found.add(
      'AIRCRAFT_UNKNOWN',
      'aircraft.icaocode',
      `No profile is of the type ${core.aircraft.icao ?? core.aircraft.baseType}: nothing can be calculated for the plan.`,
    );
  if (matched?.conflict) {
    const { key, profile } = matched.conflict;
    found.add(
      'PROFILE_CONFLICT',
      'aircraft.icaocode',
      `The plan is for ${core.aircraft.icao ?? core.aircraft.baseType}, the profile ${key.file} of ${key.userRegistration} is a ${profile.model.type}: check which aircraft is meant.`,
    );
  }
  if (matched) checkWeights(core, matched.candidate, planner.plannerLoadDeviation, found);
  warnOfRunways(uses, plan, matched, now, found);
  return [...found.list(), ...warnings];
};
