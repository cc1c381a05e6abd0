/** Two pilots with flight plans, one of which is shared with the other pilot. */
import { randomBytes } from 'node:crypto';
import type { Postgres } from '#store/postgres/pool.ts';
import { planText } from '#test/support/ofp.ts';
import { runSql } from '#test/support/sql.ts';
import { createClient } from '../../../clients/typescript/src/index.ts';

export interface Pilot {
  userId: number;
  token: string;
}

/** Ids of new plans for this user. */
export const plansOf = async (
  { url, devKey }: { url: string; devKey: string },
  { token }: Pilot,
  count: number,
): Promise<string[]> => {
  const efb = createClient({ baseUrl: url, devKey, token: { token, expires: '2999-01-01T00:00:00Z' } });
  const ids: string[] = [];
  const now = Date.now();
  for (let n = 0; n < count; n += 1) {
    const generatedAt = new Date(now - n * 60_000);
    const out = new Date(now + (6 + n) * 3_600_000);
    const text = planText({ requestId: String(184_000_000 + n), generatedAt, out });
    const { ofpId } = await efb.upload('ofpImport', { source: 'json' }, new Blob([text]));
    ids.push(ofpId);
  }
  return ids;
};

export const shareForEditing = async (
  postgres: Postgres,
  ofpId: string,
  [owner, recipient]: readonly [Pilot, Pilot],
): Promise<void> => {
  await runSql(postgres)`
    INSERT INTO ofp_share (owner_id, ofp_id, recipient_id, permission, status, token_hash, code_hash, sealed, created_at,
      accepted_at)
    VALUES (${owner.userId}, ${ofpId}, ${recipient.userId}, 'edit', 'accepted', ${randomBytes(32)}, ${randomBytes(32)},
      ${randomBytes(32)}, now(), now())`;
};
