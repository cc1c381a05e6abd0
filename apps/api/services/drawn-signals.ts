/** Wakes requests that wait for a picture; driven by announcements of the workers. */
export interface DrawnSignals {
  /** Resolves when a picture of this calculation or upload is announced, or after the time. */
  wait: (publicId: string, ms: number) => Promise<void>;
  announce: (publicId: string) => void;
}

export const createDrawnSignals = (): DrawnSignals => {
  const waiting = new Map<string, Set<() => void>>();
  return {
    wait: (publicId, ms) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          const others = waiting.get(publicId);
          others?.delete(done);
          if (others?.size === 0) waiting.delete(publicId);
          resolve();
        };
        const timer = setTimeout(done, ms);
        waiting.set(publicId, (waiting.get(publicId) ?? new Set()).add(done));
      }),
    announce: (publicId) => {
      for (const done of waiting.get(publicId) ?? []) done();
    },
  };
};
