/** Files that an account may send at the same time; others of it wait unread. */
const maxFiles = 2;

export interface Uploads {
  /** Resolves when the account may send a file; the returned function ends that. */
  enter: (userId: number) => Promise<() => void>;
}

export const createUploads = (): Uploads => {
  const accounts = new Map<number, { files: number; waiting: (() => void)[] }>();
  return {
    enter: async (userId) => {
      const account = accounts.get(userId) ?? { files: 0, waiting: [] };
      accounts.set(userId, account);
      // The place of a file that ends is taken over by the next one.
      if (account.files >= maxFiles) await new Promise<void>((resolve) => account.waiting.push(resolve));
      else account.files += 1;
      return () => {
        const next = account.waiting.shift();
        if (next) return next();
        account.files -= 1;
        if (account.files === 0) accounts.delete(userId);
      };
    },
  };
};
