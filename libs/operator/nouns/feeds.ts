import { runFeedNow } from '#commands/feeds.ts';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import { feedStatusRepo } from '#store/postgres/feeds/status.ts';
import { feedAbout } from '#domain/feeds/about.ts';
import { didYouMean } from '#platform/command-line.ts';
import { text } from '../flags.ts';
import { changing, found, verb, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

const byName = { feed: text('Name of the feed (feeds list).') };
const shownRuns = 50;

const list = view({
  summary:
    'Lists every feed: up, late, down or off (no source configured), with its last success, age and size.',
  flags: {},
  run: async ({ postgres: { db }, clock }) => {
    const reports = await feedStatusRepo(db).reports(clock.now());
    const table = reports.map((report) => ({
      feed: report.feed,
      status: report.status,
      success: report.lastSuccessAt,
      minutes: report.ageMinutes,
      records: report.records,
      failures: report.consecutiveFailures,
      error: report.lastError ?? report.notice,
    }));
    return { data: { feeds: reports }, table, whole: 'feeds show FEED' };
  },
});

export const feeds: Noun = {
  name: 'feeds',
  title: 'Feeds',
  summary: 'State of the outside sources.',
  kind: 'feed',
  verbs: {
    '': list,
    list,
    show: view({
      summary: 'Shows all that is known of a feed, with the whole error and its last runs.',
      flags: byName,
      run: async ({ postgres: { db }, clock }, { feed }) => {
        const reports = await feedStatusRepo(db).reports(clock.now());
        const names = reports.map((one) => one.feed);
        const report = found(
          reports.find((one) => one.feed === feed),
          `There is no feed "${feed}".${didYouMean(feed, names)}`,
        );
        const runs = (await feedRepo(db).runs(feed, shownRuns)).map((run) => ({
          started: run.startedAt,
          slot: run.slot,
          state: run.ok === null ? 'running' : run.ok ? (run.notModified ? 'same' : 'stored') : 'failed',
          seconds: run.finishedAt && (run.finishedAt.getTime() - run.startedAt.getTime()) / 1_000,
          stored: run.stored,
          rejected: run.rejected,
          error: run.error ?? run.source,
        }));
        return {
          data: { feed: report, runs },
          heading: feedAbout(feed).text,
          record: { ...report },
          tables: { Runs: runs },
        };
      },
    }),
    run: verb({
      summary: 'Enqueues a run of a feed now, for the scheduler; `npm run ingest` runs one here.',
      flags: byName,
      run: async (tools, { feed }) => {
        const { producer: jobs } = await tools.queues();
        await changing(tools, 'feed', feed, (tx) => runFeedNow(tx, { clock: tools.clock, jobs }, { feed }));
        return { data: { feed, enqueued: true }, notice: `A run of ${feed} is queued.` };
      },
    }),
  },
};
