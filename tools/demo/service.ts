import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { addressOf } from '#platform/config/config.ts';
import { readRunning } from '#platform/embedded/running.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

export interface Service {
  url: string;
  /** Folder for the results of the demo: `DATA_DIR/demo`. */
  folder: string;
  /** DATA_DIR of a service that was started here. */
  dataDir: string | null;
  startedHere: boolean;
  /** Runs one operator command and returns its JSON. */
  ops: (...args: string[]) => Promise<Record<string, unknown>>;
  stop: () => Promise<void>;
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    // Nothing listens there: the demo starts a service.
    return false;
  }
};

const freePort = (): Promise<number> =>
  new Promise((done, failed) => {
    const server = createServer();
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });

const opsWith =
  (env: NodeJS.ProcessEnv): Service['ops'] =>
  async (...args) => {
    const { stdout } = await run(process.execPath, [join(root, 'apps/ops/main.ts'), ...args, '--json'], {
      env,
      cwd: root,
    });
    return JSON.parse(stdout) as Record<string, unknown>;
  };

/** Removes the data of a service used only by the demo; its database may be elsewhere, behind a link. */
const removeData = async (folder: string) => {
  const database = join(folder, 'postgres');
  if (existsSync(database)) await rm(await realpath(database), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
};

const startOwn = async (
  dataDir: string,
  kept: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Service> => {
  const folder = await mkdtemp(join(dataDir, 'demo-'));
  const port = await freePort();
  const { DATABASE_URL: _, REDIS_URL: __, BASE_URL: ___, ...inherited } = process.env;
  const env = {
    ...inherited,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: String(port),
    SOURCES: 'simulated',
    SEED_DEMO: '1',
    LOG_LEVEL: 'warn',
    // There is no load balancer to wait for.
    SHUTDOWN_DRAIN_SECONDS: '0',
    ...variables,
  };
  const child = spawn(process.execPath, [join(root, 'apps/main.cjs')], {
    env,
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((done) => {
    child.once('exit', done);
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await removeData(folder);
  };
  const started = new Promise<string>((done, failed) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const ready = /^ready (http\S+)$/m.exec(text)?.[1];
      if (ready) done(ready);
    });
    void ended.then((code) =>
      failed(new Error(`the service ended with ${code} before it was ready:\n${text}`)),
    );
  });
  const onSignal = () => {
    void stop().finally(() => process.exit(130));
  };
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  try {
    const url = await started;
    return { url, folder: kept, dataDir: folder, startedHere: true, ops: opsWith(env), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** A new service in a temporary folder, with these variables. */
export const startWith = async (variables: Readonly<Record<string, string>>): Promise<Service> => {
  const dataDir = resolve(process.env['DATA_DIR'] || '.data');
  const folder = join(dataDir, 'demo');
  await mkdir(folder, { recursive: true });
  return startOwn(dataDir, folder, variables);
};

/** The running service, or a new one in a temporary folder with simulated sources. */
export const findOrStart = async (): Promise<Service> => {
  const dataDir = resolve(process.env['DATA_DIR'] || '.data');
  const folder = join(dataDir, 'demo');
  await mkdir(folder, { recursive: true });
  const { HOST, PORT, BASE_URL } = process.env;
  // A service in this folder records its address; one started tier by tier does not.
  const url = readRunning(dataDir)?.address ?? (BASE_URL || addressOf(HOST || '127.0.0.1', PORT || 8080));
  if (!(await answers(url))) return startOwn(dataDir, folder);
  return { url, folder, dataDir: null, startedHere: false, ops: opsWith(process.env), stop: async () => {} };
};
