/** A stored plan with its detail and the documents of one of its revisions. */
import type { OfpPlanned } from '#domain/ofp/planned.ts';
import type { Caller } from '#domain/users/types.ts';
import { ofpRepo } from '#data/postgres/ofp/ofps.ts';
import type { OfpDocuments, OfpRevision } from '#data/postgres/ofp/ofps.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import type { Tools } from '../../../handler-context.ts';
import { detailOf } from './detail.ts';
import type { OfpDetail } from './detail.ts';
import { preferencesOf } from './document.ts';
import { profileOf } from './profile.ts';
import { flightUses } from './uses.ts';

interface ReadCall extends Pick<Tools, 'aircraft' | 'caches' | 'identities'> {
  db: ReadDb;
  caller: Caller;
  now: Date;
}

interface StoredDetail {
  ofp: OfpDetail;
  plan: OfpPlanned;
  /** Of the wanted revision. */
  texts: OfpRevision;
  revisions: OfpRevision[];
}

const presentPlan: OfpDocuments = { revision: null, isWhole: false, hasOriginal: false };

/** Null for a plan that the caller cannot read, and for a revision that is no longer kept. */
export const storedDetail = async (
  { db, caller, aircraft, caches, identities, now }: ReadCall,
  ofpId: string,
  wanted = presentPlan,
): Promise<StoredDetail | null> => {
  const found = await ofpRepo(db).withRevisions({ ofpId, userId: caller.userId, now }, wanted);
  if (!found) return null;
  const { row, revisions } = found;
  const texts = revisions.find((one) => one.revision === (wanted.revision ?? row.revision));
  if (!texts || texts.plan === null) return null;
  const plan = JSON.parse(texts.plan) as OfpPlanned;
  const matched = await profileOf(plan, { aircraft, caller });
  const preferences = await preferencesOf({ identities, caller });
  const uses = await flightUses({ caches, caller }, plan, row, now);
  return { ofp: detailOf(row, plan, matched, preferences, uses, now), plan, texts, revisions };
};
