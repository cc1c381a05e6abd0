import type { Trail } from '#commands/audit/audited.ts';
import type { Clock } from '#domain/time.ts';
import { developerKeyWrites } from '#store/postgres/developer-keys/developer-keys.ts';
import type { KeyPermissions } from '#store/postgres/developer-keys/developer-keys.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Creates a developer key; only the answer has it. */
export const createKey = async (
  tx: Tx,
  { clock, trail }: { clock: Clock; trail: Trail },
  { name, permissions }: { name: string; permissions: KeyPermissions },
): Promise<{ id: number; key: string }> => {
  const { id, key } = await developerKeyWrites(tx).create(name, permissions, clock.now());
  trail.created('developer key', id);
  return { id, key };
};
