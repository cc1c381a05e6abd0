import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { migrationIntentRepo, migrationIntentWrites } from '#store/postgres/subscriptions/migrations.ts';

/** Drops the pending migration of a user. Returns its id. Throws MIGRATION_NOT_FOUND. */
export const cancelMigration = async (
  tx: Tx,
  { clock }: { clock: Clock },
  { userId, intentId }: { userId: number; intentId: string | undefined },
): Promise<string> => {
  const now = clock.now();
  const intents = migrationIntentWrites(tx);
  const id = intentId ?? (await migrationIntentRepo(tx).latest(userId, now))?.id;
  const intent = id === undefined ? null : await intents.lock(id, now);
  if (intent?.userId !== userId || intent.state !== 'PENDING') throw new DomainError('MIGRATION_NOT_FOUND');
  await intents.end(intent.id, 'CANCELLED', null, now);
  return intent.id;
};
