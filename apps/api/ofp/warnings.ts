import { checkWeights } from '#domain/ofp/profile-match.ts';
import type { Matched } from '#domain/ofp/profile-match.ts';
import { isStale } from '#domain/ofp/summary.ts';
import { createWarnings } from '#domain/ofp/warnings.ts';
import type { OfpWarning } from '#domain/ofp/warnings.ts';
import type { UserPreferences } from '#domain/users/preferences.ts';
import type { ParsedPlan } from '#data/ofp/parse.ts';
import type { StoredImport } from './store.ts';

/** What the user should know of an import: of the plan as a whole first, then of its values. */
export const importWarnings = (
  { core, ids, facts, warnings }: ParsedPlan,
  { decision, before }: StoredImport,
  matched: Matched | null,
  { planner }: UserPreferences,
  now: Date,
): OfpWarning[] => {
  const found = createWarnings();
  if (isStale(ids.generatedAt === null ? null : new Date(ids.generatedAt), facts, now))
    found.add('OFP_OLDER_THAN_24H', 'params.time_generated', 'The plan is older than 24 hours.');
  if (decision.kind === 'unchanged' && decision.isOlder)
    found.add('OLDER_THAN_STORED', 'params.time_generated', 'The stored plan is newer and was kept.');
  const isOther = (side: 'origin' | 'destination') => before && before.facts[side].icao !== facts[side].icao;
  if (decision.kind === 'update' && (isOther('origin') || isOther('destination')))
    found.add('DIFFERENT_FLIGHT', 'origin', 'The plan that was replaced is of another flight.');
  if (matched) checkWeights(core, matched.candidate, planner.plannerLoadDeviation, found);
  return [...found.list(), ...warnings];
};
