/** CPU time of this thread in ms while `work` runs, independent of other processes. */
export const cpuTimeMs = (work: () => unknown): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};
