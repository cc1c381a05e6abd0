import { userInfo } from 'node:os';
import type { Operator } from '#domain/audit/entry.ts';
import { audited } from '#commands/audit/audited.ts';
import type { Ops, Resources } from './command.ts';

const accountName = (): string => {
  try {
    return userInfo().username;
  } catch {
    // A container may run with an id that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
};

/** Who uses the command line: the user of the operating system, under sudo the one who called it. */
export const operatorName = (): string => process.env['SUDO_USER'] ?? accountName();

const commandLineOperator = (): Operator => ({ who: `cli:${operatorName()}`, requestId: null });

/** What a verb works with; `action` is its noun and its words. */
export const opsOf = ({ postgres, clock, ...others }: Resources, action: string): Ops => ({
  ...others,
  clock,
  postgres,
  single: postgres.single,
  change: (work) =>
    postgres.transaction((tx) =>
      audited(tx, { clock, operator: commandLineOperator() }, { action, work: (trail) => work(tx, trail) }),
    ),
});
