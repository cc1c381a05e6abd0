/** The API under attack, as seen by the scenarios, and their results. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import type { Postgres } from '#store/postgres/pool.ts';
import type { Sent } from '#test/support/abuse/clients.ts';
import type { Row } from '../support/rows.ts';

export interface Target {
  url: string;
  child: ChildProcess;
  databaseUrl: string;
  postgres: Postgres;
  /** DATA_DIR and TMPDIR of the API. */
  dataDir: string;
  tempDir: string;
  /** Tokens of users with a subscription. */
  tokens: readonly string[];
  /** Starts a further API on the same database. */
  startOther: (env: Record<string, string>) => Promise<{ url: string; child: ChildProcess }>;
  startWorker: (env: Record<string, string>) => Promise<{ child: ChildProcess }>;
}

export interface Attack {
  name: string;
  accounts: number;
  /** Concurrent calls per account. */
  calls: number;
  call: (target: Target, token: string, i: number) => Promise<Sent>;
}

export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;

export type Scenario = (target: Target) => Promise<Row[]>;

const statusOf = (pid: number, name: string): number => {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) * 1024;
};

/** Growth of the resident memory of a process up to its peak while `work` runs. */
export const memoryGrowth = async <T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; bytes: number }> => {
  // Resets the peak to the current resident size.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const before = statusOf(pid, 'VmRSS');
  const result = await work();
  return { result, bytes: statusOf(pid, 'VmHWM') - before };
};

export const probeText = ({
  p50Ms,
  p99Ms,
  maxMs,
  probes,
}: {
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  probes: number;
}): string => `p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)}, max ${maxMs.toFixed(1)} ms of ${probes}`;
