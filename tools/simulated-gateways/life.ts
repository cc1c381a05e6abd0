/** Shared by the lives of the simulated gateways: money, messages, calendar months. */

/** Money that a gateway took or refunded (negative). */
export interface Taken {
  reference: string;
  /** Number of the order or transaction; for a refund, of its payment. */
  number: string;
  what: 'purchase' | 'renewal' | 'upgrade' | 'refund';
  /** In cents. */
  amountMinor: number;
  at: Date;
}

/** A message on its way to the service. */
export interface SentMessage {
  path: string;
  body: string;
  at: Date;
}

/** A gateway whose time only moves by `advance`. */
export interface GatewayLife {
  readonly taken: readonly Taken[];
  /** Messages sent since the last call. */
  messages: () => SentMessage[];
  /** When it acts by itself next; null: never. */
  nextAt: () => Date | null;
  /** Does everything due until then, in order. */
  advance: (to: Date) => void;
  /** True if it would charge again at some time. */
  charges: (reference: string) => boolean;
  /** From now on, payments of this subscription fail or succeed. */
  decline: (reference: string, isDeclined: boolean) => void;
  /** Resets everything. */
  clear: () => void;
}

export const dayMs = 86_400_000;

export const currency = 'EUR';

export const euros = (minor: number): string => (minor / 100).toFixed(2);

/** The same time in a later month, or on the last day of a shorter one. */
export const monthsAfter = (from: Date, months: number): Date => {
  const first = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1) + (from.getTime() % dayMs);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate();
  return new Date(first + (Math.min(from.getUTCDate(), lastDay) - 1) * dayMs);
};

/** Times are stated in whole seconds. */
export const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1_000) * 1_000);

interface Due {
  reference: string;
  at: Date;
}

/** Does what is due, one thing at a time, since each may make something else due. */
export const advanceBy = (
  due: () => Due[],
  work: (reference: string, at: Date) => void,
): { nextAt: () => Date | null; advance: (to: Date) => void } => {
  const next = (): Due | undefined => due().toSorted((a, b) => a.at.getTime() - b.at.getTime())[0];
  return {
    nextAt: () => next()?.at ?? null,
    advance: (to) => {
      for (let one = next(); one && one.at <= to; one = next()) work(one.reference, one.at);
    },
  };
};

/** Messages waiting to be taken. */
export const createOutbox = () => {
  let waiting: SentMessage[] = [];
  return {
    send: (message: SentMessage): void => {
      waiting.push(message);
    },
    take: (): SentMessage[] => {
      const sent = waiting;
      waiting = [];
      return sent;
    },
  };
};
