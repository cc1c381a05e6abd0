import { directly } from '#platform/config/direct.ts';
import type { Context } from '#data/context.ts';
import { createChanges } from '#data/postgres/changes.ts';
import type { Changes, Followers } from '#data/postgres/changes.ts';
import { createPostgres } from '#data/postgres/pool.ts';
import { applicationName } from '#data/postgres/processes.ts';

/** Statements of the following are short: one that takes longer than caches are trusted has not been answered. */
const statementTimeoutMs = 2_000;

/** Follows what commits of all processes change. Its connections are separate: calls that wait for one must not hold it up. */
export const followChanges = (
  { config, log, announcements, postgres }: Pick<Context, 'config' | 'log' | 'announcements' | 'postgres'>,
  followers: Followers,
): { changes: Changes; close: () => Promise<void> } => {
  const direct = createPostgres(
    {
      connectionString: directly(config).DATABASE_URL,
      applicationName: `${applicationName('api')} changes`,
      max: 1,
      statementTimeoutMs,
    },
    log,
  );
  const changes = createChanges({ postgres: direct, log, followers });
  // What this process commits is forgotten before the commit is answered, so that a caller sees what they have changed.
  postgres.onAnnouncement((message) => {
    if (message.topic !== 'changes') return;
    message.changes.forEach(changes.hear);
  });
  announcements.hear('changes', changes.wake);
  const close = async (): Promise<void> => {
    await changes.close();
    await direct.close();
  };
  return { changes, close };
};
