/** Plans in the database, as far as their ownership matters. */
import { randomBytes } from 'node:crypto';
import { addSeconds } from '#domain/time.ts';
import type { TestApi, TestUser } from '../api.ts';
import { runSql } from './sql.ts';

/** The id of a new plan of this user. */
export const planOf = async (api: TestApi, { id }: TestUser, name = 'EDDF-KJFK'): Promise<string> => {
  const ofpId = `OFP-${randomBytes(10).toString('hex').toUpperCase()}`;
  const now = api.context.clock.now();
  await runSql(api.context.postgres)`
    INSERT INTO ofp (id, user_id, name, source, content_hash, facts, created_at, imported_at, expires_at)
    VALUES (${ofpId}, ${id}, ${name}, 'json', ${ofpId}, '{}', ${now}, ${now}, ${addSeconds(now, 8_000_000)})`;
  return ofpId;
};

/** An accepted share, as it is stored. */
export const shareWith = async (
  api: TestApi,
  ofpId: string,
  [owner, recipient]: [TestUser, TestUser],
  permission: 'view' | 'edit' = 'view',
): Promise<void> => {
  const now = api.context.clock.now();
  await runSql(api.context.postgres)`
    INSERT INTO ofp_share (owner_id, ofp_id, recipient_id, permission, status, token_hash, code_hash, sealed, created_at,
      accepted_at)
    VALUES (${owner.id}, ${ofpId}, ${recipient.id}, ${permission}, 'accepted', ${randomBytes(32)}, ${randomBytes(32)},
      ${randomBytes(32)}, ${now}, ${now})`;
};
