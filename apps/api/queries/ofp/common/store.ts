/** Stores an imported plan: as a new one, as a new version of a stored one, or not at all. */
import { randomBytes } from 'node:crypto';
import { DomainError } from '#domain/errors.ts';
import { ofpIdOf } from '#domain/ofp/id.ts';
import { decideImport, flightKeyOf, versionOf } from '#domain/ofp/identity.ts';
import { ownerProfileOf } from '#domain/ofp/owner-profile.ts';
import { plannedOf } from '#domain/ofp/planned.ts';
import type { Matched } from '#domain/ofp/profile-match.ts';
import type { ImportDecision } from '#domain/ofp/identity.ts';
import { sourceOf } from '#domain/ofp/import-request.ts';
import type { OfpImportInput } from '#domain/ofp/import-request.ts';
import { defaultName } from '#domain/ofp/summary.ts';
import type { OfpSource } from '#domain/ofp/summary.ts';
import { addSeconds } from '#domain/time.ts';
import type { Clock } from '#domain/time.ts';
import { publishEvent } from '#commands/webhooks/publish-event.ts';
import type { ParsedPlan } from '#data/ofp/parse.ts';
import { ofpRepo } from '#data/postgres/ofp/ofps.ts';
import type { OfpRow } from '#data/postgres/ofp/ofps.ts';
import { ofpWrites } from '#data/postgres/ofp/writes.ts';
import type { OfpDraft } from '#data/postgres/ofp/writes.ts';
import type { Tx } from '#data/postgres/sql.ts';

const maxPlans = 200;
/** After the flight, or after the import of a flight that is over. */
const keptDays = 90;

export interface StoredImport {
  decision: ImportDecision;
  /** The plan of the same flight that the document supersedes; null for none. */
  supersedes: string | null;
  /** As stored before; null for a new plan. */
  before: OfpRow | null;
  row: OfpRow;
}

interface NewImport {
  userId: number;
  plan: ParsedPlan;
  input: OfpImportInput;
  source: OfpSource;
  /** For which the owner imports it. */
  matched: Matched | null;
  clock: Clock;
  now: Date;
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
  const { ids, facts, core, normalized, original, format } = plan;
  const known = before && before.name !== defaultName(before.facts) ? before.name : null;
  return {
    ...versionOf(ids, plan),
    sequenceId: ids.sequenceId,
    name: input.name ?? known ?? defaultName(facts),
    source: sourceOf(source, format),
    facts,
    ownerProfile: ownerProfileOf(matched),
    planned: JSON.stringify(plannedOf(core)),
    normalized,
    original,
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
  const version = versionOf(plan.ids, plan);
  const target = input.ofpId ? await repo.version(input.ofpId, userId) : null;
  if (input.ofpId && !target) throw new DomainError('OFP_NOT_FOUND');
  const related = await repo.related(userId, version);
  const decision = decideImport(version, related, { target, always: !input.ifChanged });
  const key = decision.kind === 'new' ? flightKeyOf(plan.facts) : null;
  const earlier = key && (await repo.ofFlight(userId, key));
  if (!earlier) return { decision, supersedes: null };
  const replacement = decideImport(version, related, { target: earlier, always: false });
  // The stored plan may be the newer one.
  if (replacement.kind !== 'update') return { decision, supersedes: null };
  return { decision: input.replaceSuperseded ? replacement : decision, supersedes: earlier.ofpId };
};

/** Throws OFP_NOT_FOUND, OFP_LIMIT_REACHED, or AUTH_REQUIRED when the account is deleted at the same moment. */
export const storePlan = async (
  tx: Tx,
  { userId, plan, input, source, matched, clock, now }: NewImport,
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
