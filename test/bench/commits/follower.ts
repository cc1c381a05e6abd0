/** A process whose caches follow the changes of `bench -- commits`. */
import { createAnnouncements } from '#data/announcements/announcements.ts';
import { createChanges } from '#data/postgres/changes.ts';
import { createPostgres } from '#data/postgres/pool.ts';
import { createLogger } from '#platform/log/log.ts';
import { followersFor } from '#test/support/followers.ts';

const log = createLogger('bench', 'warn');
const url = process.env['DATABASE_URL'] ?? '';
const postgres = createPostgres(
  { connectionString: url, applicationName: 'bench', max: 1, statementTimeoutMs: 2_000 },
  log,
);
const announcements = await createAnnouncements(
  { DATABASE_URL: url, REDIS_WAIT_MS: 500 },
  'bench',
  postgres,
  log,
);
const changes = createChanges({ postgres, log, followers: followersFor({}) });
announcements.hear('changes', changes.wake);
await changes.caughtUp();
// Its bench has ended, however it did.
process.on('disconnect', () => process.exit());
process.send?.('ready');
