import { userInfo } from 'node:os';
import { auditedChange } from '#operator/audited.ts';
import type { LocalTools, ViewTools } from '#operator/verb.ts';
import type { Postgres } from '#store/postgres/pool.ts';

/** What a command line opens; queues are opened by the verbs that need them. */
export interface Resources extends Pick<ViewTools, 'config' | 'clock' | 'queues'> {
  postgres: Postgres;
}

const accountName = (): string => {
  try {
    return userInfo().username;
  } catch {
    // A container may run with an id that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
};

/** What a verb works with; `action` is its noun and its words. */
export const toolsOf = ({ postgres, ...resources }: Resources, action: string): LocalTools => {
  // Under sudo the one who called it.
  const userName = process.env['SUDO_USER'] ?? accountName();
  const operator = { who: `cli:${userName}`, requestId: null };
  return {
    ...resources,
    userName,
    now: resources.clock.now(),
    db: postgres.db,
    jobs: { enqueue: async (...job) => (await resources.queues()).producer.enqueue(...job) },
    // Loaded by the run alone: the feeds bring the scheduler with them.
    runFeed: async (asked, note) =>
      (await import('./run-feed.ts')).runFeedHere(resources.config, asked, note),
    single: postgres.single,
    change: auditedChange({ ...resources, postgres }, operator, action),
  };
};
