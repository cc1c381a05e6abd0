/** Few works at once; the others wait for their turn. */
export const createTurns = (max: number) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    /** Resolves when it is one's turn; the returned function ends it, and the next one takes its place. */
    enter: async (): Promise<() => void> => {
      if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      return () => {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      };
    },
    isIdle: () => running === 0,
  };
};

/** Few works of an account at once; its others wait for their turn. */
export const createAccountTurns = (max: number) => {
  const accounts = new Map<number, ReturnType<typeof createTurns>>();
  return {
    /** Resolves when it is the turn of the account; the returned function ends that. */
    enter: async (userId: number): Promise<() => void> => {
      const turns = accounts.get(userId) ?? createTurns(max);
      accounts.set(userId, turns);
      const leave = await turns.enter();
      return () => {
        leave();
        if (turns.isIdle()) accounts.delete(userId);
      };
    },
  };
};
