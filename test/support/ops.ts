/**
 * The operator's command line on the database of a context; the caches of its API are notified.
 *
 *   const { json } = await ops(t, 'announcement list --json');
 */
import { z } from 'zod';
import { createContext } from '#data/context.ts';
import type { Context } from '#data/context.ts';
import { openConfig } from '../../apps/ops/open-config.ts';
import { createLogger } from '#platform/log/log.ts';
import type { Terminal } from '../../apps/ops/read-flags.ts';
import { nouns } from '#operator/nouns.ts';
import { runOps } from '../../apps/ops/run.ts';
import type { TestContext } from '../harness.ts';

export interface Ran {
  status: number;
  out: string;
  err: string;
  json: Record<string, unknown>;
}

/** `line` is split at blanks; `more` are verbatim arguments. */
export const ops = (t: TestContext, line: string, ...more: string[]): Promise<Ran> =>
  opsOn({}, t, line, ...more);

/** Runs a verb twice, as a script does: first to get the digest of the affected row, then with that digest in `--seen`. */
export const decide = async (t: TestContext, line: string): Promise<Ran> => {
  const { err } = await ops(t, line);
  return ops(t, `${line} --seen ${/--seen (\S+)$/.exec(err)?.[1]}`);
};

/** As `ops`, but on a terminal with these properties instead of a pipe. */
export const opsOn = async (
  terminal: Partial<Terminal>,
  { config, clock, postgres, queues }: Pick<Context, 'config' | 'clock' | 'postgres' | 'queues'>,
  line: string,
  ...more: string[]
): Promise<Ran> => {
  const out: string[] = [];
  const err: string[] = [];
  const open = () =>
    Promise.resolve({
      ops: { config, clock, postgres, queues: () => Promise.resolve(queues) },
      close: () => Promise.resolve(),
    });
  const status = await runOps(nouns, [...line.split(' ').filter(Boolean), ...more], open, {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    columns: null,
    isStyled: false,
    ...terminal,
  });
  const json =
    out.length === 1 && out[0]?.startsWith('{')
      ? z.record(z.string(), z.unknown()).parse(JSON.parse(out[0]))
      : {};
  return { status, out: out.join('\n'), err: err.join('\n'), json };
};

/** The same on the database of the service that runs on this folder. Throws unless it succeeds. */
export const opsIn = async (dataDir: string, line: string): Promise<Ran> => {
  const { config } = await openConfig({ ...process.env, BASE_URL: '', DATABASE_URL: '', DATA_DIR: dataDir });
  await using context = await createContext(config, 'test', { log: createLogger('test', 'silent') });
  const ran = await opsOn({}, context, line);
  if (ran.status !== 0) throw new Error(`ops ${line}: ${ran.err}`);
  return ran;
};
