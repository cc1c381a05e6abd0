import type { Context } from '#data/context.ts';
import type { Feed } from './define-feed.ts';
import { runFeed } from './runner.ts';
import type { FeedOutcome } from './runner.ts';
import type { RunOptions } from './scope.ts';

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

/** Problems that did not prevent storing, and what `--force` overrode. */
const notesOf = (outcome: FeedOutcome): string[] => {
  if (outcome.kind !== 'stored') return [];
  return [
    ...outcome.warnings.map((warning) => `warning: ${warning}`),
    ...outcome.overridden.map((reason) => `overridden by --force: ${reason}`),
  ];
};

/** A manual feed run, as the command line reports it. */
export const runByHand = async (
  context: Context,
  feed: Feed,
  options: Omit<RunOptions, 'jobId' | 'isManual'>,
): Promise<{ status: number; sentence: string; notes: string[] }> => {
  const outcome = await runFeed(context, feed, { ...options, isManual: true });
  // Exit status of the command line: 0 stored, 1 failed, 3 nothing new.
  const status = outcome.kind === 'stored' ? 0 : outcome.kind === 'notModified' ? 3 : 1;
  return { status, sentence: sentenceOf(feed.name, outcome), notes: notesOf(outcome) };
};
