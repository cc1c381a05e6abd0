import { OperatorError } from '../errors.ts';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '#domain/errors.ts';
import { z } from 'zod';
import { writeFileAtomicNow } from '../files/atomic-file.ts';

const runningSchema = z.object({
  address: z.string(),
  databaseUrl: z.string(),
  /** The process started by `npm start`, which serves the API. */
  pid: z.number().int(),
  postgresPid: z.number().int().nullable(),
  /** The process of workers and scheduler; null until it is ready. */
  jobsPid: z.number().int().nullable(),
});

/** State of a running service for command-line tools: `DATA_DIR/running.json`, readable by its owner only. */
export type Running = z.output<typeof runningSchema>;

const pathOf = (dataDir: string) => join(dataDir, 'running.json');

export const writeRunning = (dataDir: string, running: Running): void =>
  writeFileAtomicNow(pathOf(dataDir), `${JSON.stringify(running, null, 2)}\n`, 0o600);

/**
 * The state of a running or killed service; undefined without a file. Throws an error in plain words if the file is
 * damaged.
 */
export const readRunning = (dataDir: string): Running | undefined => {
  let text: string;
  try {
    text = readFileSync(pathOf(dataDir), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return runningSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new OperatorError(
      `${pathOf(dataDir)} is damaged: restart the service, which writes it again, or delete the file if no service runs.`,
      { cause: error },
    );
  }
};

export const removeRunning = (dataDir: string): void => rmSync(pathOf(dataDir), { force: true });
