/** What the lives of the simulated gateways share: money that moved, messages that leave, calendar months. */

/** Money that a gateway took, or gave back (negative). */
export interface Taken {
  reference: string;
  /** Number of the order or of the transaction; of a refund that of its payment. */
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

/** A gateway whose time moves only by `advance`. */
export interface GatewayLife {
  readonly taken: readonly Taken[];
  /** Messages since the last call. */
  messages: () => SentMessage[];
  /** When it does something by itself next; null: never. */
  nextAt: () => Date | null;
  /** Does what is due until then, in its order. */
  advance: (to: Date) => void;
  /** True while it would take money at some time. */
  charges: (reference: string) => boolean;
  /** From now on payments of this subscription fail, or succeed again. */
  decline: (reference: string, isDeclined: boolean) => void;
  /** Forgets everything. */
  clear: () => void;
}

export const dayMs = 86_400_000;

export const currency = 'EUR';

export const euros = (minor: number): string => (minor / 100).toFixed(2);

/** The same time of a later month, or of the last day of a shorter one. */
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

/** Does what is due, one after the other: each may make something else due. */
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

/** Messages that wait to be taken. */
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
