/** Work in steps: a generator yields after a bounded amount, so that its caller can let the event loop continue. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs all steps synchronously; for short texts. */
export const finished = <T>(steps: Steps<T>): T => {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
};
