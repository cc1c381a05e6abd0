interface Work {
  bytes: number;
  start: () => void;
}

/** Few works at once, of few bytes together unless there is one alone; the others wait for their turn. */
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
    /** Resolves when it is one's turn; the returned function ends it. */
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

/** Few works of an account at once; its others wait for their turn. */
export const createAccountTurns = (max: number, maxBytes?: number) => {
  const accounts = new Map<number, ReturnType<typeof createTurns>>();
  return {
    /** Resolves when it is the turn of the account; the returned function ends that. */
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
