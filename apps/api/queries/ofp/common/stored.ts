/** A stored plan with its detail and the documents of one of its revisions. */
import type { OfpPlanned } from '#domain/ofp/planned.ts';
import { ofpRepo } from '#data/postgres/ofp/ofps.ts';
import type { OfpDocuments, OfpRevision } from '#data/postgres/ofp/ofps.ts';
import { detailOf } from './detail.ts';
import type { DetailCall, OfpDetail } from './detail.ts';

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
  call: DetailCall,
  ofpId: string,
  wanted = presentPlan,
): Promise<StoredDetail | null> => {
  const { db, caller, now } = call;
  const found = await ofpRepo(db).withRevisions({ ofpId, userId: caller.userId, now }, wanted);
  if (!found) return null;
  const { row, revisions } = found;
  const texts = revisions.find((one) => one.revision === (wanted.revision ?? row.revision));
  if (!texts || texts.plan === null) return null;
  const plan = JSON.parse(texts.plan) as OfpPlanned;
  const { ofp } = await detailOf(call, row, plan);
  return { ofp, plan, texts, revisions };
};
