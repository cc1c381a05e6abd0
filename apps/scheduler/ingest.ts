/**
 * `npm run ingest -- <feed> [--file PATH | --url URL] [--slot ISO] [--force]`: one manual run of a feed. Exits
 * with 0 only when data was stored; 3 when the source has nothing new.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Context } from '#data/context.ts';
import { askedText, didYouMean, optionProblem } from '#platform/command-line.ts';
import { createContext } from '#data/context.ts';
import { openConfig } from '#data/open-config.ts';
import { feedStatusRepo } from '#store/postgres/feeds/status.ts';
import { withSources } from '#simulated/own.ts';
import { slotAt } from '#store/schedule/slots.ts';
import type { Feed } from './define-feed.ts';
import { runFeed } from './runner.ts';
import type { FeedOutcome } from './runner.ts';
import type { RunOptions } from './scope.ts';
import { createProgress } from './progress.ts';
import { loadFeeds } from './registry.ts';

interface Ingested {
  /** 0 stored, 1 failed, 3 nothing new. */
  exitCode: 0 | 1 | 3;
  /** One line about the outcome. */
  sentence: string;
  /** Problems that did not prevent storing, and what `--force` overrode. */
  notes: string[];
}

const sentenceOf = (feed: string, outcome: FeedOutcome): string => {
  switch (outcome.kind) {
    case 'stored':
      return `${feed}: ${outcome.received} received, ${outcome.stored} written, ${outcome.rejected} rejected (${outcome.source}).`;
    case 'notModified':
      return `${feed}: nothing new at ${outcome.source} since the last stored run (--force reads it again).`;
    case 'paused':
      return `${feed}: the source asked not to be called before ${outcome.until.toISOString()} (--force overrides this).`;
    case 'off':
      return `${feed}: ${outcome.reason}`;
    case 'superseded':
      return `${feed}: a later run has already stored data.`;
    case 'failed':
      return `${feed}: ${outcome.error}${outcome.isGuarded ? ' (--force stores it anyway)' : ''}`;
  }
};

const notesOf = (outcome: FeedOutcome): string[] => {
  if (outcome.kind !== 'stored') return [];
  return [
    ...outcome.warnings.map((warning) => `warning: ${warning}`),
    ...outcome.overridden.map((reason) => `overridden by --force: ${reason}`),
  ];
};

/** One manual run of a feed, as the command line reports it. */
export const ingestOnce = async (
  context: Context,
  feed: Feed,
  options: Omit<RunOptions, 'jobId' | 'isManual'>,
): Promise<Ingested> => {
  const outcome = await runFeed(context, feed, { ...options, isManual: true });
  const exitCode = outcome.kind === 'stored' ? 0 : outcome.kind === 'notModified' ? 3 : 1;
  return { exitCode, sentence: sentenceOf(feed.name, outcome), notes: notesOf(outcome) };
};

class UsageError extends Error {
  override name = 'UsageError';
}

const usage = 'usage: npm run ingest -- <feed> [--file PATH | --url URL] [--slot ISO] [--force]';

const help = (feeds: Iterable<string>): string =>
  [
    usage,
    '',
    `Feeds: ${[...feeds].join(', ')}.`,
    '',
    '  --file PATH  read this file (plain or .gz), or the files of this folder where a feed has several',
    '  --url URL    read this address instead of the configured one',
    '  --slot ISO   time the run is for, for example 2026-09-16T12:00:00Z',
    '  --force      store what the guards refuse (it prints what was overridden), and read unchanged data again',
    '',
    'Exit status: 0 stored, 1 failed, 2 usage error, 3 nothing new.',
  ].join('\n');

const addressOf = (file: string | undefined, url: string | undefined): string | undefined => {
  if (file !== undefined && url !== undefined) throw new UsageError('Use --file or --url, not both.');
  if (file !== undefined) {
    const path = resolve(file);
    if (!existsSync(path)) throw new UsageError(`${path} does not exist.`);
    return pathToFileURL(path).href;
  }
  if (url !== undefined && !/^(?:https?|file):\/\/./.test(url)) {
    throw new UsageError('--url must be an http://, https:// or file:// URL.');
  }
  return url;
};

const slotOf = (text: string | undefined, schedule: string, now: Date): Date => {
  if (text === undefined) return slotAt(schedule, now);
  const slot = new Date(text);
  if (Number.isNaN(slot.getTime()))
    throw new UsageError(`--slot: ${text} is not a time such as 2026-09-16T12:00:00Z.`);
  return slot;
};

const main = async (): Promise<number> => {
  const feeds = await loadFeeds();
  const asked = askedText(process.argv.slice(2), () => help(feeds.keys()));
  if (asked !== null) {
    console.log(asked);
    return 0;
  }
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      file: { type: 'string' },
      url: { type: 'string' },
      slot: { type: 'string' },
      force: { type: 'boolean' },
    },
  });
  const [name, ...others] = positionals;
  if (name === undefined) throw new UsageError(help(feeds.keys()));
  const feed = feeds.get(name);
  if (!feed) {
    const names = [...feeds.keys()];
    throw new UsageError(`There is no feed "${name}".${didYouMean(name, names)} Feeds: ${names.join(', ')}.`);
  }
  if (others.length > 0) throw new UsageError(`One feed at a time: what is "${others.join(' ')}"?\n${usage}`);
  const override = addressOf(values.file, values.url);
  const slot = slotOf(values.slot, feed.schedule, new Date());
  const opened = await openConfig();
  const close = [opened.close];
  try {
    const sources = await withSources(opened.config);
    close.push(sources.close);
    await using context = await createContext({ ...sources.config, LOG_LEVEL: 'silent' }, 'ops');
    const isOther =
      override === undefined &&
      opened.config.SOURCES !== 'simulated' &&
      (await feedStatusRepo(context.postgres.db).isSimulated());
    if (isOther)
      console.error(
        'The service on this database has simulated sources; this run reads the real ones. For the same as the service: SOURCES=simulated.',
      );
    const stopped = new AbortController();
    process.once('SIGINT', () => stopped.abort());
    process.once('SIGTERM', () => stopped.abort());
    const { exitCode, sentence, notes } = await ingestOnce(context, feed, {
      slot,
      signal: stopped.signal,
      override,
      force: values.force === true,
      onProgress: createProgress(feed.name),
    });
    for (const note of notes) console.error(note);
    const say = exitCode === 0 ? console.log : console.error;
    say(sentence);
    return exitCode;
  } finally {
    for (const each of close.toReversed()) await each();
  }
};

try {
  process.exitCode = await main();
} catch (error) {
  const wrongFlag = optionProblem(error, ['file', 'url', 'slot', 'force']);
  if (wrongFlag !== null) console.error(`${wrongFlag}\n${usage}`);
  else console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = wrongFlag !== null || error instanceof UsageError ? 2 : 1;
}
