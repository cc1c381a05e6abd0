import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { directly } from '#platform/config/direct.ts';
import { variableTypos } from '#platform/config/typos.ts';
import { ConfigError, addressOf, assertUsableFolder, readConfig } from '#platform/config/config.ts';
import type { Config } from '#platform/config/config.ts';
import { startServiceDatabase } from '#data/service-database.ts';
import { removeRunning, writeRunning } from '#platform/embedded/running.ts';
import type { EmbeddedServer } from '#platform/embedded/server.ts';
import { createLogger } from '#platform/log/log.ts';
import { prepareDatabase } from '#data/prepare.ts';
import { isSeedWanted } from '#data/seed-wanted.ts';
import { onStopSignals } from '#platform/stop-signals.ts';
import { startSimulated } from '#simulated/server.ts';
import type { SimulatedSources } from '#simulated/server.ts';
import { childEnvironment, metricsPortOf } from './child-environment.ts';
import type { Environment } from './child-environment.ts';
import { startChild } from './child.ts';
import type { ManagedChild } from './child.ts';
import { runOnce } from './once.ts';
import { usablePort } from './ports.ts';
import { createAnnouncer } from './terminal.ts';
import type { Announcer } from './terminal.ts';
import { editsOf, watchSources } from './watch.ts';

/** npm forwards SIGTERM only to its shell, which exits without notifying us: then our parent changes. */
const stopWithNpm = (env: Environment, stop: () => void) => {
  if (env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 250).unref();
};

/** Name and script of every child, in the order of their start. */
export const service: Readonly<Record<string, string>> = {
  api: 'apps/api/main.ts',
  workers: 'apps/workers/main.ts',
  scheduler: 'apps/scheduler/main.ts',
};
/** Throws one sentence for a port of the metrics that is in use, before anything is started. */
const assertMetricsPorts = async ({ METRICS_HOST: host, METRICS_PORT: first }: Config): Promise<void> => {
  if (first === undefined || first === 0) return;
  for (const index of Object.keys(service).keys())
    await usablePort(host, first + index, ['METRICS_HOST', 'METRICS_PORT']);
};
/** The seed must be stored before its first import. */
const startsLast = 'scheduler';
/** The API may still wait for drawings while it finishes its requests. */
const stopsLast = 'workers';
/** All children have ended this long after SIGTERM; the database needs less than the rest of 10 s. */
const childrenLimitMs = 8_500;

const stopChildren = async (children: readonly ManagedChild[]): Promise<void> => {
  const deadline = performance.now() + childrenLimitMs;
  for (const isLast of [false, true]) {
    const turn = children.filter(({ name }) => (name === stopsLast) === isLast);
    await Promise.all(turn.map((child) => child.stop(Math.max(500, deadline - performance.now()))));
  }
};

/** Placeholder for the embedded database while the other variables are checked. */
const placeholder = 'postgres://embedded';

/** A database that crashes is restarted on the same port; the children keep running and reconnect. */
const keepAlive = (server: EmbeddedServer, log: Logger, isStopping: () => boolean, onChange: () => void) => {
  server.onDeath(() => {
    if (isStopping()) return;
    log.error('embedded database crashed, restarting');
    const again = async () => {
      for (let gapMs = 100; !isStopping(); gapMs = Math.min(gapMs * 2, 5_000)) {
        try {
          await server.start();
          onChange();
          log.info('embedded database is running again');
          return;
        } catch (error) {
          log.error({ err: error }, 'embedded database does not start');
          await sleep(gapMs);
        }
      }
    };
    again().catch((error: unknown) => log.fatal({ err: error }, 'embedded database is lost'));
  });
};

/** Restarts the tiers whose files were edited; a migration is run first. */
const restartEdited = (
  root: string,
  children: readonly ManagedChild[],
  log: Logger,
  config: Config,
): (() => void) => {
  const apply = async (paths: ReadonlySet<string>) => {
    const names = children.map(({ name }) => name);
    const { tiers, hasMigration, isOwn } = editsOf(paths, names);
    const files = [...paths].slice(0, 3).join(', ');
    if (isOwn) log.warn(`${files}: restart \`npm run dev\` for this`);
    // The processes here are the only ones, and are about to be restarted.
    if (hasMigration) await prepareDatabase(config, 'always');
    if (tiers.size > 0) log.info(`${files}: restarting ${[...tiers].join(', ')}`);
    for (const child of children) if (tiers.has(child.name)) child.restart();
  };
  return watchSources(root, (paths) => {
    apply(paths).catch((error: unknown) => log.error({ err: error }, 'the edit cannot run'));
  });
};

interface Circumstances {
  /** Children start after it. */
  compiled?: Promise<unknown>;
  /** Folder of the project whose edited files restart their tiers (`npm run dev`); nothing is watched without it. */
  watched?: string;
}

/**
 * Runs the service until SIGTERM or SIGINT. Ends the process: 0 after a clean stop, 1 when it could not start, 130 when a
 * second signal cut the stop short.
 */
export const supervise = async (
  env: Environment,
  scripts = service,
  { compiled, watched }: Circumstances = {},
): Promise<void> => {
  let stopping = false;
  let announcer: Announcer | undefined;
  let stopWatching: (() => void) | undefined;
  let database: EmbeddedServer | undefined;
  let databaseStart: Promise<unknown> = Promise.resolve();
  let dataDir: string | undefined;
  let simulated: SimulatedSources | undefined;
  const children: ManagedChild[] = [];
  const ending = new AbortController();

  const stop = async (exitCode: number): Promise<never> => {
    stopping = true;
    stopWatching?.();
    ending.abort();
    // A database that is still starting would be left behind.
    await Promise.allSettled([databaseStart]);
    await stopChildren(children);
    await simulated?.close();
    await database?.stop();
    if (dataDir !== undefined) removeRunning(dataDir);
    process.exit(process.exitCode ?? exitCode);
  };
  const onSignal = () => {
    if (stopping) return;
    stop(0).catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  };
  onStopSignals(
    () => {
      if (!stopping) announcer?.stopping();
      onSignal();
    },
    () => {
      process.exitCode = 130;
      for (const child of children) child.kill();
    },
  );
  stopWithNpm(env, onSignal);

  try {
    const checked = readConfig(env, placeholder);
    const log = createLogger('supervisor', checked.LOG_LEVEL, { format: checked.LOG_FORMAT });
    announcer = createAnnouncer(checked, checked.DATABASE_URL === placeholder);
    for (const sentence of variableTypos(env)) log.warn(sentence);
    assertUsableFolder(checked.DATA_DIR);
    const port = await usablePort(checked.HOST, checked.PORT);
    await assertMetricsPorts(checked);
    announcer.starting();
    let config = checked;
    if (checked.DATABASE_URL === placeholder) {
      const start = async () => {
        const started = await startServiceDatabase(checked.DATA_DIR, (line) => log.debug({ postgres: line }));
        database = started.server;
        return started.url;
      };
      const starting = start();
      databaseStart = starting;
      config = readConfig(env, await starting);
    }
    await prepareDatabase(directly(config));
    await compiled;
    if (stopping) return;

    const address = addressOf(config.HOST, port);
    const write = () => {
      if (stopping) return;
      writeRunning(config.DATA_DIR, {
        address,
        databaseUrl: config.DATABASE_URL,
        postgresPid: database?.pid() ?? null,
        supervisorPid: process.pid,
        ready: children.filter((child) => child.isReady()).map((child) => child.name),
        processes: Object.fromEntries(children.map((child) => [child.name, child.pid()])),
      });
    };
    dataDir = config.DATA_DIR;
    if (database) keepAlive(database, log, () => stopping, write);
    if (config.SOURCES === 'simulated') simulated = await startSimulated();
    // Variables set by the operator take precedence, so that one simulated source can be replaced by a real
    // one.
    const childEnv = { ...simulated?.variables, ...childEnvironment(env, config, port) };
    const launch = (isLate: boolean) => {
      for (const [index, [name, script]] of Object.entries(scripts).entries()) {
        if (stopping || (name === startsLast) !== isLate) continue;
        const ownEnv = { ...childEnv, METRICS_PORT: metricsPortOf(config.METRICS_PORT, index) };
        children.push(startChild({ name, script, env: ownEnv, log, onChange: write }));
      }
      write();
    };
    launch(false);
    // Before the ready line: a service without airports could not calculate.
    if (await isSeedWanted(directly(config), log))
      await runOnce('apps/supervisor/seed.ts', { env: childEnv, signal: ending.signal });
    launch(true);
    await Promise.all(children.map((child) => child.ready));
    if (stopping) return;
    announcer.ready(address);
    if (watched !== undefined) stopWatching = restartEdited(resolve(watched), children, log, config);
  } catch (error) {
    if (stopping) return;
    console.error(error instanceof ConfigError || error instanceof Error ? error.message : String(error));
    await stop(1);
  }
};
