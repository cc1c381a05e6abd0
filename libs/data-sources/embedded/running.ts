import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const runningSchema = z.object({
  address: z.string(),
  databaseUrl: z.string(),
  postgresPid: z.number().int().nullable(),
  supervisorPid: z.number().int(),
  /** Names of the processes that are ready. */
  ready: z.array(z.string()),
  processes: z.record(z.string(), z.number().int().nullable()),
});

/**
 * State of a running service for its command-line tools: `DATA_DIR/running.json`, readable by its owner only.
 */
export type Running = z.output<typeof runningSchema>;

const pathOf = (dataDir: string) => join(dataDir, 'running.json');

export const writeRunning = (dataDir: string, running: Running): void => {
  const path = pathOf(dataDir);
  writeFileSync(`${path}.new`, `${JSON.stringify(running, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
};

/** The file of a running service or of one that was killed; undefined when there is none. */
export const readRunning = (dataDir: string): Running | undefined => {
  try {
    return runningSchema.parse(JSON.parse(readFileSync(pathOf(dataDir), 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
};

export const removeRunning = (dataDir: string): void => rmSync(pathOf(dataDir), { force: true });
