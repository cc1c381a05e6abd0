import { cpuOf } from './cpu.ts';
import type { Measured } from './load.ts';
import type { Started } from './servers.ts';

export interface Cost extends Measured {
  /** CPU time of the process for a request. */
  cpuMs: number;
  /** Statements to the database for a request. */
  statements: number;
}

/** Cost of one request in one process while `work` runs: CPU time and statements. */
export const costOf = async (
  { child, statements }: Started,
  work: () => Promise<Measured>,
): Promise<Cost> => {
  const pid = child.pid ?? 0;
  const [before, cpuBefore] = [await statements(), cpuOf(pid)];
  const measured = await work();
  const requests = Math.max(1, measured.total);
  const cpuMs = ((cpuOf(pid) - cpuBefore) * 1_000) / requests;
  return { ...measured, cpuMs, statements: ((await statements()) - before) / requests };
};
