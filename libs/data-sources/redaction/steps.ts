/** Work in pieces: a generator yields after a bounded amount, so that its caller can let the event loop go on. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Characters that one step reads. */
export const stepLength = 8_192;

/** Runs steps to their end at once; for short texts. */
export const finished = <T>(steps: Steps<T>): T => {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
};
