import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { redisLanes } from '#store/queue/queues.ts';
import { requeueLimitSeconds } from '#domain/jobs/port.ts';
import type { JobContract, Requeue } from '#domain/jobs/port.ts';
import { servedByScheduler } from '#domain/jobs/served-by.ts';
import type { WorkerJob } from './handle.ts';

const contractsFolder = join(import.meta.dirname, '../../libs/domain/jobs');
const jobsFolder = join(import.meta.dirname, 'jobs');

const filesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).sort();

const load = async (folder: string, file: string): Promise<Record<string, unknown>> =>
  (await import(pathToFileURL(join(folder, file)).href)) as Record<string, unknown>;

const isContract = (value: unknown): value is JobContract =>
  typeof value === 'object' && value !== null && 'lane' in value && 'payload' in value && 'attempts' in value;

const isWorkerJob = (value: unknown): value is WorkerJob =>
  typeof value === 'object' &&
  value !== null &&
  'bind' in value &&
  'contract' in value &&
  isContract(value.contract);

/** The file of a job: its name with `-` for `.`. */
export const fileOf = (jobName: string): string => `${jobName.replaceAll('.', '-')}.ts`;

/** Every contract of `libs/domain/jobs`. */
export const loadContracts = async (folder = contractsFolder): Promise<JobContract[]> => {
  const modules = await Promise.all((await filesOf(folder)).map((file) => load(folder, file)));
  return modules.flatMap((module) => Object.values(module).filter(isContract));
};

/** A lost job is found by the first sweep after `lostAfterSeconds`; a third of the time remains for the sweep. */
const isRequeuedInTime = (requeue: Requeue | undefined): boolean =>
  requeue !== undefined && requeue.everySeconds + requeue.lostAfterSeconds <= (requeueLimitSeconds * 2) / 3;

/** Mismatches between these files and contracts, one sentence each; empty when they match. */
export const problemsOf = (
  handlers: readonly { file: string; contract: JobContract; cron?: WorkerJob['cron'] }[],
  contracts: readonly JobContract[],
): string[] => {
  const problems: string[] = [];
  const handled = new Set(handlers.map(({ contract }) => contract.name));
  for (const { file, contract, cron } of handlers) {
    if (file !== fileOf(contract.name))
      problems.push(`jobs/${file} handles ${contract.name}: name it ${fileOf(contract.name)}`);
    if (servedByScheduler.has(contract.name))
      problems.push(`jobs/${file}: ${contract.name} is served by the scheduler`);
    // A cron job has no other producer, so its contract is in its own file.
    if (!cron && !contracts.includes(contract))
      problems.push(`jobs/${file}: no contract ${contract.name} in libs/domain/jobs`);
  }
  for (const { name, lane, requeue } of contracts) {
    if (redisLanes.has(lane) && !isRequeuedInTime(requeue))
      problems.push(`${name} may be lost with Redis: requeue it within ${requeueLimitSeconds} s`);
    if (!handled.has(name) && !servedByScheduler.has(name))
      problems.push(`${name} has no handler: write jobs/${fileOf(name)}`);
    if (contracts.filter((other) => other.name === name).length > 1)
      problems.push(`${name} has two contracts`);
  }
  return problems;
};

/**
 * Every handler of `jobs/`. Throws when a contract has no handler here, or a file is not named after its job.
 */
export const loadWorkerJobs = async (): Promise<WorkerJob[]> => {
  const files = await filesOf(jobsFolder);
  const jobs = await Promise.all(
    files.map(async (file) => {
      const { default: job } = await load(jobsFolder, file);
      if (!isWorkerJob(job)) throw new Error(`jobs/${file} must default-export handle(contract, …)`);
      return { file, contract: job.contract, job, ...(job.cron ? { cron: job.cron } : {}) };
    }),
  );
  const problems = problemsOf(jobs, await loadContracts());
  if (problems.length > 0) throw new Error(`jobs and contracts do not match:\n${problems.join('\n')}`);
  return jobs.map(({ job }) => job);
};
