/** Imports a plan: reads its document, stores it as a new plan, as a new version or not at all, and warns. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DomainError } from '#domain/errors.ts';
import { ofpIdOf } from '#domain/ofp/id.ts';
import { decideImport, flightKeyOf } from '#domain/ofp/identity.ts';
import { ownerProfileOf } from '#domain/ofp/owner-profile.ts';
import { plannedOf } from '#domain/ofp/planned.ts';
import { checkWeights } from '#domain/ofp/profile-match.ts';
import type { Matched } from '#domain/ofp/profile-match.ts';
import type { ImportDecision } from '#domain/ofp/identity.ts';
import { plannerRefusalOf, plannerSelectorOf, sourceOf } from '#domain/ofp/import-request.ts';
import type { OfpImportInput } from '#domain/ofp/import-request.ts';
import { warnOfRunway } from '#domain/ofp/runway-warnings.ts';
import { defaultName, staleMs } from '#domain/ofp/summary.ts';
import type { OfpSource } from '#domain/ofp/summary.ts';
import { createWarnings } from '#domain/ofp/warnings.ts';
import type { OfpWarning, Warnings } from '#domain/ofp/warnings.ts';
import { addSeconds } from '#domain/time.ts';
import { publishEvent } from '#commands/webhooks.ts';
import type { ParsedDocument, ParsedPlan } from '#data/ofp/parse.ts';
import { ofpRepo } from '#store/postgres/ofp/ofps.ts';
import type { OfpRow } from '#store/postgres/ofp/ofps.ts';
import { ofpWrites } from '#store/postgres/ofp/writes.ts';
import type { OfpDraft } from '#store/postgres/ofp/writes.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { userProfileRepo } from '#store/postgres/users/profiles.ts';
import { completePreferences } from '#domain/users/preferences.ts';
import type { UserPreferences } from '#domain/users/preferences.ts';
import { ParserBusyError } from '#data/ofp/parser.ts';
import { PlannerError } from '#data/ofp/planner.ts';
import { windCautionsOf } from '#perf/wire/wind.ts';
import type { Needs } from '../../../handler-context.ts';
import { commonError, declaredError } from '../../../errors.ts';
import type { ApiError, ErrorOptions } from '../../../errors.ts';
import { ofpImportErrors } from './ofp.ts';
import type { FlightUses } from './plan.ts';

const maxPlans = 200;
/** How long a plan is stored after its flight, or after its import if the flight is past. */
const keptDays = 90;

interface StoredImport {
  decision: ImportDecision;
  /** The plan of the same flight that this document replaces; null for none. */
  supersedes: string | null;
  /** The stored row; null for a new plan. */
  before: OfpRow | null;
  row: OfpRow;
}

interface NewImport extends Needs<'caller' | 'clock' | 'now'> {
  plan: ParsedPlan;
  input: OfpImportInput;
  source: OfpSource;
  /** The aircraft profile for which the owner imports it. */
  matched: Matched | null;
}

const expiryOf = ({ facts }: ParsedPlan, now: Date): Date => {
  const inMs = facts.estimatedIn === null ? 0 : Date.parse(facts.estimatedIn);
  return addSeconds(new Date(Math.max(inMs, now.getTime())), keptDays * 86_400);
};

const draftOf = (
  plan: ParsedPlan,
  { source, input, matched }: Pick<NewImport, 'source' | 'input' | 'matched'>,
  before: OfpRow | null,
  now: Date,
): OfpDraft => {
  const { facts, core, format } = plan;
  const known = before && before.name !== defaultName(before.facts) ? before.name : null;
  return {
    ...plan,
    name: input.name ?? known ?? defaultName(facts),
    source: sourceOf(source, format),
    ownerProfile: ownerProfileOf(matched),
    planned: JSON.stringify(plannedOf(core)),
    expiresAt: expiryOf(plan, now),
  };
};

const decide = async (
  tx: Tx,
  userId: number,
  plan: ParsedPlan,
  input: OfpImportInput,
): Promise<{ decision: ImportDecision; supersedes: string | null }> => {
  const repo = ofpRepo(tx);
  const target = input.ofpId ? await repo.version(input.ofpId, userId) : null;
  if (input.ofpId && !target) throw new DomainError('OFP_NOT_FOUND');
  const related = await repo.related(userId, plan);
  const decision = decideImport(plan, related, { target, always: !input.ifChanged });
  const key = decision.kind === 'new' ? flightKeyOf(plan.facts) : null;
  const earlier = key && (await repo.ofFlight(userId, key));
  if (!earlier) return { decision, supersedes: null };
  const replacement = decideImport(plan, related, { target: earlier, always: false });
  // The stored plan may be newer.
  if (replacement.kind !== 'update') return { decision, supersedes: null };
  return { decision: input.replaceSuperseded ? replacement : decision, supersedes: earlier.ofpId };
};

/** Throws OFP_NOT_FOUND, OFP_LIMIT_REACHED, or AUTH_REQUIRED if the account is deleted at the same moment. */
export const storePlan = async (
  tx: Tx,
  { caller: { userId }, plan, input, source, matched, clock, now }: NewImport,
): Promise<StoredImport> => {
  const writes = ofpWrites(tx);
  const repo = ofpRepo(tx);
  if (!(await writes.lockOwner(userId))) throw new DomainError('AUTH_REQUIRED');
  const { decision, supersedes } = await decide(tx, userId, plan, input);
  const id = decision.kind === 'new' ? ofpIdOf(randomBytes(20)) : decision.ofpId;
  const before = decision.kind === 'new' ? null : await repo.accessible({ ofpId: id, userId, now });
  const draft = draftOf(plan, { source, input, matched }, before, now);
  if (decision.kind === 'new') {
    if ((await repo.count(userId)) >= maxPlans) throw new DomainError('OFP_LIMIT_REACHED');
    await writes.insert(id, userId, draft, now);
  } else if (decision.kind === 'update') await writes.replace(id, draft, now);
  else if (input.name) await writes.rename(id, input.name);
  const row = await repo.accessible({ ofpId: id, userId, now });
  if (!row) throw new Error(`the imported plan ${id} is missing`);
  if (decision.kind !== 'unchanged') {
    const data = { userId, ofpId: id, name: row.name, isNew: decision.kind === 'new' };
    await publishEvent(tx, { clock }, { event: 'plan.imported', data });
  }
  return { decision, supersedes, before, row };
};

// Where an imported document comes from: SimBrief, the request, or a file.

interface ImportCall extends Needs<
  'planner' | 'ofpParser' | 'db' | 'caller' | 'file' | 'prepare' | 'now' | 'log'
> {
  input: OfpImportInput;
  source: OfpSource;
}

/** Clients must not poll SimBrief. */
const fetchEverySeconds = 10;

const importError = (code: keyof typeof ofpImportErrors, options?: ErrorOptions): ApiError =>
  declaredError(ofpImportErrors, code, options);

export const preferencesOf = async ({ db, caller }: Needs<'db' | 'caller'>): Promise<UserPreferences> => {
  const profile = await userProfileRepo(db).byId(caller.userId);
  return completePreferences(profile?.preferences, profile?.settingsLocked ?? false);
};

const countFetch = async ({ prepare, caller, now }: ImportCall): Promise<void> => {
  const earliest = addSeconds(now, -fetchEverySeconds);
  const last = await prepare.transaction((tx) => ofpWrites(tx).countFetch(caller.userId, earliest, now));
  if (last === null) return;
  const waitSeconds = Math.ceil((last.getTime() - earliest.getTime()) / 1_000);
  throw importError('PLANNER_RATE_LIMITED', { headers: { 'Retry-After': String(Math.max(1, waitSeconds)) } });
};

const busy = (): ApiError =>
  commonError('RATE_LIMITED', {
    message: 'Two of your plans are being imported. Wait until one has finished.',
    headers: { 'Retry-After': '1' },
  });

const parsed = async (
  { input, caller, ofpParser }: ImportCall,
  content: Uint8Array | string,
): Promise<ParsedDocument> => {
  try {
    return await ofpParser.parse(caller.userId, { content, keepNotams: input.keepNotams });
  } catch (error) {
    if (!(error instanceof ParserBusyError)) throw error;
    throw busy();
  }
};

const fetchPlan = async (call: ImportCall, preferences: UserPreferences): Promise<ParsedPlan> => {
  const { input, planner, log } = call;
  const selector = plannerSelectorOf(input, preferences.planner.plannerUserId);
  if (!selector) throw importError('MISSING_PLANNER_ID');
  // Checked before the fetch, which would count against the limit in vain.
  if (call.ofpParser.isBusy(call.caller.userId)) throw busy();
  await countFetch(call);
  let content: Buffer;
  try {
    content = await planner.fetch(selector);
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    log().warn({ err: error }, 'SimBrief did not answer');
    throw importError('PLANNER_UNAVAILABLE');
  }
  const document = await parsed(call, content);
  if (document.kind === 'plan') return document;
  const { status, problem } = document;
  const refusal = plannerRefusalOf(status);
  if (refusal) throw importError(refusal);
  log().warn({ status, problem }, 'SimBrief sent no plan');
  throw importError('PLANNER_UNAVAILABLE');
};

const readGiven = async (call: ImportCall): Promise<ParsedPlan> => {
  const { input, file } = call;
  const content = file ? await readFile(file.path) : input.document;
  if (content === null)
    throw importError('INVALID_DOCUMENT', {
      message: 'Send the plan as "document" or as the form field "file".',
    });
  const document = await parsed(call, content);
  if (document.kind === 'plan') return document;
  throw importError('INVALID_DOCUMENT', {
    message: `The document is not a flight plan: ${document.problem}.`,
  });
};

/** Refuses a second document, so that no other plan is imported in its place. */
const assertNoOther = ({ source, input, file }: ImportCall): void => {
  if (source === 'planner' && (file || input.document !== null))
    throw importError('INVALID_DOCUMENT', {
      message:
        'With the source "planner" no document is read: leave it out, or send the source "json" or "xml".',
    });
  if (file && input.document !== null)
    throw importError('INVALID_DOCUMENT', {
      message: 'Send one plan: either as "document" or as the form field "file".',
    });
};

/** Throws the errors of `ofpImportErrors`. */
export const readImport = async (call: ImportCall, preferences: UserPreferences): Promise<ParsedPlan> => {
  assertNoOther(call);
  return call.source === 'planner' ? fetchPlan(call, preferences) : readGiven(call);
};

// What the answer of an import warns of.

/** Warnings for the takeoff and landing runways of known airports. */
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

/** Clocks of flight planners differ by less. */
const toleratedClockMs = 3_600_000;

const ageMs = (at: Date | null, now: Date): number => (at === null ? 0 : now.getTime() - at.getTime());

/** Warnings about an import: about the plan as a whole first, then about its values. */
export const importWarnings = (
  plan: ParsedPlan,
  { decision, before }: StoredImport,
  matched: Matched | null,
  { planner }: UserPreferences,
  uses: FlightUses,
  now: Date,
): OfpWarning[] => {
  const { core, facts, generatedAt, warnings } = plan;
  const found = createWarnings();
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
