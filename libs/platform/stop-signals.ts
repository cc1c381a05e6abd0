/** npm passes on a Ctrl-C that the terminal has already sent to the process: both come within this time. */
const sameSignalMs = 500;

/** The first SIGTERM, SIGINT or SIGHUP begins a stop in order, a later one ends it at once. */
export const onStopSignals = (stop: () => void, endNow: () => void): void => {
  let firstAt: number | undefined;
  const heard = () => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      stop();
    } else if (performance.now() - firstAt > sameSignalMs) endNow();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, heard);
};
