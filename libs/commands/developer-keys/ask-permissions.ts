import { grantedByRule } from '#domain/developers/permissions.ts';
import type { Permissions } from '#domain/developers/permissions.ts';
import type { Clock } from '#domain/time.ts';
import { applicationWrites } from '#data/postgres/developer-keys/applications.ts';
import type { Tx } from '#data/postgres/sql.ts';

/** Grants what the rule grants and leaves the rest to the operator; returns whether something waits. */
export const askPermissions = async (
  tx: Tx,
  { clock }: { clock: Clock },
  { id, held, asked, reason }: { id: number; held: Permissions; asked: Permissions; reason: string },
): Promise<boolean> => {
  const { granted, waiting } = grantedByRule(held, asked);
  const applications = applicationWrites(tx);
  await applications.setPermissions(id, granted);
  await applications.setRequest(id, waiting, reason, clock.now());
  return waiting !== null;
};
