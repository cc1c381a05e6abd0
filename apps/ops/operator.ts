import { userInfo } from 'node:os';
import { auditedChange } from '#operator/audited.ts';
import type { LocalTools } from '#operator/verb.ts';
import type { Resources } from './command.ts';

const accountName = (): string => {
  try {
    return userInfo().username;
  } catch {
    // A container may run with an id that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
};

/** Who uses the command line: the user of the operating system, under sudo the one who called it. */
const operatorName = (): string => process.env['SUDO_USER'] ?? accountName();

/** What a verb works with; `action` is its noun and its words. */
export const toolsOf = (resources: Resources, action: string): LocalTools => {
  const userName = operatorName();
  const operator = { who: `cli:${userName}`, requestId: null };
  return {
    ...resources,
    userName,
    // Loaded by the run alone: the feeds bring the scheduler with them.
    runFeed: async (asked, note) =>
      (await import('./run-feed.ts')).runFeedHere(resources.config, asked, note),
    single: resources.postgres.single,
    change: auditedChange(resources, operator, action),
  };
};
