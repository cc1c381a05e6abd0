import { join } from 'node:path';
import { loadFolder } from '#platform/load-folder.ts';
import type { WorkerJob } from './worker-job.ts';

const isWorkerJob = (value: unknown): value is WorkerJob =>
  typeof value === 'object' && value !== null && 'bind' in value && 'contract' in value;

/** All handlers in `jobs/`. Startup fails unless each file exports the job of its name, with `-` for `.`. */
export const loadWorkerJobs = async (folder = join(import.meta.dirname, 'jobs')): Promise<WorkerJob[]> =>
  (await loadFolder(folder)).map(({ name, module: { default: job } }) => {
    if (!isWorkerJob(job) || job.contract.name.replaceAll('.', '-') !== name)
      throw new Error(`jobs/${name}.ts must default-export the job ${name.replace('-', '.')}`);
    return job;
  });
