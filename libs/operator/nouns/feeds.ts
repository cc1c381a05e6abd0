import { z } from 'zod';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import { feedStatusRepo } from '#store/postgres/feeds/status.ts';
import { slotAt } from '#store/schedule/slots.ts';
import { DomainError } from '#domain/errors.ts';
import { feedAbout } from '#domain/feeds/about.ts';
import { feedRun } from '#domain/jobs/contracts.ts';
import { wireTime } from '#domain/time.ts';
import { didYouMean } from '#platform/command-line.ts';
import { flagSwitch, maybe, maybeText, maybeTime, text } from '../flags.ts';
import { changing, found, verb, view } from '../verb.ts';
import type { Flag, Noun } from '../verb.ts';

const byName = { feed: text('Name of the feed (feeds list).') };
const shownRuns = 50;
const local = <F extends Flag>(flag: F): F => ({ ...flag, isLocal: true });
const address = {
  schema: z.string().regex(/^(?:https?|file):\/\/./, 'must be an http://, https:// or file:// URL'),
  text: 'Reads this address instead of the configured one.',
} satisfies Flag;

const list = view({
  summary:
    'Lists every feed: up, late, down or off (no source configured), with its last success, age and size.',
  flags: {},
  run: async ({ db, now }) => ({
    data: { feeds: await feedStatusRepo(db).reports(now) },
    columns: {
      feeds: 'feed status lastSuccessAt ageMinutes records notice lastError',
    },
  }),
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
      summary: 'Shows the state of a feed, with its full error and its last runs.',
      flags: byName,
      run: async ({ db, now }, { feed }) => {
        const reports = await feedStatusRepo(db).reports(now);
        const names = reports.map((one) => one.feed);
        const report = found(
          reports.find((one) => one.feed === feed),
          `There is no feed "${feed}".${didYouMean(feed, names)}`,
        );
        return {
          data: {
            feed: { about: feedAbout(feed).text, ...report },
            runs: await feedRepo(db).runs(feed, shownRuns),
          },
          columns: { runs: 'startedAt finishedAt slot ok notModified stored rejected error source' },
        };
      },
    }),
    run: verb({
      summary:
        'Runs a feed now; the console leaves it to the scheduler. Exit status: 0 stored, 1 failed, 2 usage error, 3 nothing new.',
      flags: {
        ...byName,
        file: local(
          maybeText('Reads this file (plain or .gz), or those of this folder, with the same guards.'),
        ),
        url: local(maybe(address)),
        slot: local(maybeTime('Time the run is for, for example 2026-09-16T12:00:00Z; default: now.')),
        force: local(flagSwitch('Stores what the guards refuse, names why, and reads unchanged data again.')),
      },
      run: async (tools, asked) => {
        const { feed } = asked;
        if (tools.runFeed)
          return tools.runFeed(asked, () => changing(tools, 'feed', feed, () => Promise.resolve()));
        const { now, jobs } = tools;
        await changing(tools, 'feed', feed, async (tx) => {
          const declared = (await feedStatusRepo(tx).reports(now)).find((report) => report.feed === feed);
          if (!declared?.schedule) throw new DomainError('NOT_FOUND', {}, `There is no feed ${feed}.`);
          if (declared.status === 'off')
            throw new DomainError('FEED_OFF', {}, `The feed ${feed} has no source: it is not configured.`);
          const retryAt = (await feedRepo(tx).state(feed))?.retryAt ?? null;
          if (retryAt !== null && retryAt > now)
            throw new DomainError(
              'FEED_PAUSED',
              {},
              `The source asked not to be called before ${wireTime(retryAt)}.`,
            );
          // A part of a feed runs together with the others.
          const [whole = feed] = feed.split('.');
          const slot = slotAt(declared.schedule, now).toISOString();
          // The key of a scheduled run is the slot alone; that run may have ended already.
          const dedupeKey = `${whole}@${slot} ${now.toISOString()}`;
          await jobs.enqueue(tx, feedRun, { feed: whole, slot }, { dedupeKey });
        });
        return { data: { feed }, notice: `A run of ${feed} is queued.` };
      },
    }),
  },
};
