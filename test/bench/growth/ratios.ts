/** What queries of a middle and a heavy account take in a large database, next to those of an account in a small one. */
import type { Registered } from '#api/registry.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { median } from '../support/servers.ts';
import type { Account, Caller } from './calls.ts';

export interface Side {
  call: Caller;
  accounts: readonly Account[];
}

interface Sides {
  small: Side;
  middle: Side;
  heavy: Side;
}

const bars = { middle: 1.5, heavy: 3 };
/** Everything of a user in one answer. */
const wholeAnswers: ReadonlySet<string> = new Set(['exportMyData']);
/** They need a code of a mail or a share, a file that a worker reads, a gateway, or a subscription in another state. */
const refusable: ReadonlySet<string> = new Set(
  `applyDiscountCode cancelSubscription changePlan getCheckoutUrl getManageSubscriptionUrl ofpShareAccept pauseSubscription
  resetPassword resumeSubscription submitFeedback uploadAliasPicture uploadPicture uploadProfilePicture
  walletToCardMigration`.split(/\s+/),
);
const calls = 9;
/** What the machine does besides only adds to a ratio: the lowest of these rounds counts. */
const rounds = 4;

const accountOf = ({ accounts }: Side, i: number): Account => {
  const account = accounts[i % accounts.length];
  if (!account) throw new Error('a side without accounts');
  return account;
};

/** Medians of calls that take turns on the three sides. */
const measure = async (operation: Registered, sides: Sides, round: number) => {
  const times: Record<keyof Sides, number[]> = { small: [], middle: [], heavy: [] };
  const statuses = new Set<number>();
  for (let i = 0; i < calls; i += 1)
    for (const name of ['small', 'middle', 'heavy'] as const) {
      const { ms, status } = await sides[name].call(operation, accountOf(sides[name], i), round * calls + i);
      times[name].push(ms);
      statuses.add(status);
    }
  const small = median(times.small);
  return { small, middle: median(times.middle) / small, heavy: median(times.heavy) / small, statuses };
};

export interface Ratios {
  /** For each account. */
  rows: Row[];
  /** A refusal says nothing of what a query takes. */
  isAnswered: boolean;
}

export const ratiosOf = async (operation: Registered, sides: Sides): Promise<Ratios> => {
  const { name } = operation;
  const best = { small: 0, middle: Infinity, heavy: Infinity };
  const statuses = new Set<number>();
  for (let round = 0; round < rounds && (best.middle > bars.middle || best.heavy > bars.heavy); round += 1) {
    const measured = await measure(operation, sides, round);
    best.small = measured.small;
    best.middle = Math.min(best.middle, measured.middle);
    best.heavy = Math.min(best.heavy, measured.heavy);
    for (const status of measured.statuses) statuses.add(status);
    if (round === 1 && wholeAnswers.has(name)) break;
  }
  const isServed = refusable.has(name) || [...statuses].every((status) => status < 500);
  const more = `${best.small.toFixed(1)} ms with 100 users, answers ${[...statuses].join(' ')}`;
  const rows = (['middle', 'heavy'] as const)
    .filter((side) => side === 'middle' || !wholeAnswers.has(name))
    .map((side) =>
      check(
        `${name}, ${side} account`,
        isServed && best[side] <= bars[side],
        `${best[side].toFixed(2)} times, ${more}`,
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
