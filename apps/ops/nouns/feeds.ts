import { feedStatusRepo } from '#data/postgres/feeds/status.ts';
import { didYouMean } from '#platform/command-line.ts';
import { runFeedVerb } from '#operator/feeds.ts';
import { OpsError, verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { text } from '#operator/flags.ts';

const list = verb({
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

const show = verb({
  summary: 'Shows all that is known of a feed, with the whole error.',
  flags: { feed: text('Name of the feed.') },
  run: async ({ postgres: { db }, clock }, { feed }) => {
    const reports = await feedStatusRepo(db).reports(clock.now());
    const report = reports.find((one) => one.feed === feed);
    if (!report) {
      const names = reports.map((one) => one.feed);
      throw new OpsError('NOT_FOUND', `There is no feed "${feed}".${didYouMean(feed, names)}`);
    }
    return { data: { feed: report }, record: { ...report } };
  },
});

export const feeds: Noun = {
  name: 'feeds',
  summary: 'State of the outside sources.',
  verbs: { '': list, list, show, run: runFeedVerb },
};
