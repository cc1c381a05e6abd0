import { feedStatusRepo } from '#data/postgres/feeds/status.ts';
import { runFeedNow } from '#commands/feeds/run-feed.ts';
import { verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { text } from '../flags.ts';

const list = verb({
  summary: 'Lists every feed: up, late, down or off (no source configured), with its last run, size and age.',
  flags: {},
  run: async ({ postgres: { db }, clock }) => {
    const reports = await feedStatusRepo(db).reports(clock.now());
    const table = reports.map((report) => ({
      feed: report.feed,
      status: report.status,
      run: report.lastRunAt,
      success: report.lastSuccessAt,
      ageMinutes: report.ageMinutes,
      records: report.records,
      bytes: report.bytes,
      failures: report.consecutiveFailures,
      error: report.lastError,
    }));
    return { data: { feeds: reports }, table };
  },
});

const run = verb({
  summary: 'Enqueues a run of a feed now, for the scheduler; `npm run ingest` runs one here.',
  flags: { feed: text('Name of the feed (feeds list).') },
  run: async ({ change, clock, queues }, { feed }) => {
    const { producer: jobs } = await queues();
    await change((tx, trail) => runFeedNow(tx, { clock, jobs, trail }, { feed }));
    return { data: { feed, enqueued: true } };
  },
});

export const feeds: Noun = {
  name: 'feeds',
  summary: 'State of the outside sources.',
  verbs: { '': list, list, run },
};
