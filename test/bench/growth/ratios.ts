/**
 * Cost of queries for an average and a heavy account in a large database, relative to an account in a small
 * one, in elapsed and CPU time.
 */
import type { Registered } from '#api/registry.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { median } from '../support/servers.ts';
import type { Account, Caller } from './calls.ts';
import type { Processor } from './processor.ts';

export interface Side {
  call: Caller;
  processor: Processor;
  accounts: readonly Account[];
}

interface Sides {
  small: Side;
  middle: Side;
  heavy: Side;
}

const bars = { middle: 1.5, heavy: 3 };
/** All data of a user in one answer. */
const wholeAnswers: ReadonlySet<string> = new Set(['exportMyData']);
/**
 * They need a code from a mail, share or device, a file read by a worker, a gateway, a subscription in
 * another state, or rows offered by other users.
 */
const refusable: ReadonlySet<string> = new Set(
  `applyDiscountCode cancelSubscription changePlan checklistReport deviceConfirm deviceToken getCheckoutUrl
  getManageSubscriptionUrl ofpShareAccept pauseSubscription
  resetPassword resumeSubscription submitFeedback uploadAliasPicture uploadPicture uploadProfilePicture
  walletToCardMigration`.split(/\s+/),
);
const calls = 9;
/** Other activity on the machine only raises a ratio, so the lowest of these rounds counts. */
const rounds = 4;

const accountOf = ({ accounts }: Side, i: number): Account => {
  const account = accounts[i % accounts.length];
  if (!account) throw new Error('a side without accounts');
  return account;
};

type Large = Exclude<keyof Sides, 'small'>;

/** On a busy machine a call mostly waits, so its CPU time is more meaningful. */
interface Took {
  ms: number;
  processorMs: number;
}
const kinds = ['ms', 'processorMs'] as const;

const medianOf = (all: readonly Took[]): Took => ({
  ms: median(all.map(({ ms }) => ms)),
  processorMs: median(all.map(({ processorMs }) => processorMs)),
});

/** Medians of calls made alternately to these databases. */
const measure = async (
  operation: Registered,
  sides: Sides,
  round: number,
  names: readonly (keyof Sides)[],
): Promise<Record<keyof Sides, Took> & { statuses: Set<number> }> => {
  const took: Record<keyof Sides, Took[]> = { small: [], middle: [], heavy: [] };
  const statuses = new Set<number>();
  for (const name of names) await sides[name].processor.find();
  for (let i = 0; i < calls; i += 1)
    for (const name of names) {
      const { call, processor } = sides[name];
      const before = processor.ms();
      const { ms, status } = await call(operation, accountOf(sides[name], i), round * calls + i);
      took[name].push({ ms, processorMs: processor.ms() - before });
      statuses.add(status);
    }
  const { small, middle, heavy } = took;
  return { small: medianOf(small), middle: medianOf(middle), heavy: medianOf(heavy), statuses };
};

export interface Ratios {
  /** For each account. */
  rows: Row[];
  /** A refusal does not show the cost of a query. */
  isAnswered: boolean;
}

export const ratiosOf = async (operation: Registered, sides: Sides): Promise<Ratios> => {
  const { name } = operation;
  const best = {
    middle: { ms: Infinity, processorMs: Infinity },
    heavy: { ms: Infinity, processorMs: Infinity },
  };
  let small: Took = { ms: 0, processorMs: 0 };
  const statuses = new Set<number>();
  const large: readonly Large[] = wholeAnswers.has(name) ? ['middle'] : ['middle', 'heavy'];
  // NaN is not above a limit.
  const isMet = (side: Large) => !kinds.some((kind) => best[side][kind] > bars[side]);
  for (let round = 0; round < rounds && !large.every(isMet); round += 1) {
    const measured = await measure(operation, sides, round, ['small', ...large]);
    small = measured.small;
    for (const side of large)
      for (const kind of kinds)
        best[side][kind] = Math.min(best[side][kind], measured[side][kind] / small[kind]);
    for (const status of measured.statuses) statuses.add(status);
  }
  const isServed = refusable.has(name) || [...statuses].every((status) => status < 500);
  const more = `of ${small.ms.toFixed(1)} (${small.processorMs.toFixed(1)}) ms with 100 users, answers ${[...statuses].join(' ')}`;
  const rows = large.map((side) =>
    check(
      `${name}, ${side} account`,
      isServed && isMet(side),
      `${best[side].ms.toFixed(2)} times (processor ${best[side].processorMs.toFixed(2)}) ${more}`,
      `<= ${bars[side]} times`,
    ),
  );
  return { rows, isAnswered: statuses.has(200) };
};

export const answeredRow = (refused: readonly string[]): Row => {
  const unexpected = refused.filter((name) => !refusable.has(name));
  const known = refused.filter((name) => refusable.has(name));
  return check(
    'queries that were only refused',
    unexpected.length === 0,
    `${unexpected.join(', ') || 'none'}, besides ${known.join(', ') || 'none'}`,
    'none',
  );
};
