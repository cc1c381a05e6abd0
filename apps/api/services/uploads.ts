interface Work {
  bytes: number;
  start: () => void;
}

/** Limits concurrent work by count and total bytes, first come first served. Work above the byte limit runs alone. */
export const createTurns = (max: number, maxBytes = Infinity) => {
  let running = 0;
  let taken = 0;
  const waiting: Work[] = [];
  const isNext = ({ bytes }: Work) => running === 0 || (running < max && taken + bytes <= maxBytes);
  const startNext = (): void => {
    for (let [next] = waiting; next && isNext(next); [next] = waiting) {
      waiting.shift();
      running += 1;
      taken += next.bytes;
      next.start();
    }
  };
  return {
    /** Resolves when the work may start; call the returned function when it is done. */
    enter: async (bytes = 0): Promise<() => void> => {
      await new Promise<void>((start) => {
        waiting.push({ bytes, start });
        startNext();
      });
      return () => {
        running -= 1;
        taken -= bytes;
        startNext();
      };
    },
    isIdle: () => running === 0,
  };
};

/** The same limits for each account. */
export const createAccountTurns = (max: number, maxBytes?: number) => {
  const accounts = new Map<number, ReturnType<typeof createTurns>>();
  return {
    /** Resolves when the account may start; call the returned function when it is done. */
    enter: async (userId: number, bytes?: number): Promise<() => void> => {
      const turns = accounts.get(userId) ?? createTurns(max, maxBytes);
      accounts.set(userId, turns);
      const leave = await turns.enter(bytes);
      return () => {
        leave();
        if (turns.isIdle()) accounts.delete(userId);
      };
    },
  };
};
