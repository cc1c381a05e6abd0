/**
 * Real Postgres for every test:
 *
 *   import { testContext } from '#test/harness.ts';
 *   const t = await testContext();                 // own database (a clone), fake clock, silent log
 *   await t.postgres.db.one(sql`SELECT 1 AS one`); // t is a Context; t.clock.set(date), t.clock.advance(seconds)
 *   afterAll(() => t.close());                     // drops the database and the DATA_DIR
 *   // only a database: const { url, drop } = await createTestDatabase();
 *
 * The server is started once per run by global-setup.ts; `npx vitest run one.test.ts` works alone.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';
import { inject } from 'vitest';
import { readConfig } from '#platform/config/config.ts';
import type { Context, Overrides } from '#data/context.ts';
import { createLogger } from '#platform/log/log.ts';
import type { Application } from '#platform/process.ts';
import type { Clock } from '#domain/time.ts';
import { startOfTests, templateName } from './support/template.ts';

export interface TestDatabase {
  /** Connection string of a fresh clone of the template; `template0` is empty. */
  url: string;
  /** Ends all connections and drops the database. */
  drop: () => Promise<void>;
}

let admin: Pool | undefined;

/** Keeps its connections, since opening one takes a tenth as long as creating a database. */
const asAdmin = async (statement: string): Promise<void> => {
  admin ??= new Pool({
    connectionString: inject('serverUrl'),
    max: 2,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  }).on('error', () => {
    // The loss of an idle connection does not matter: the next statement opens another.
  });
  await admin.query(statement);
};

export const createTestDatabase = async (template = templateName): Promise<TestDatabase> => {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copies files, which takes a fifth of the time of the default strategy, which logs every page.
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const url = new URL(inject('serverUrl'));
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    drop: () => asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
};

/** A clock that only moves when set or advanced. */
export interface TestClock extends Clock {
  set: (time: Date | string) => void;
  advance: (seconds: number) => void;
}

export const testClock = (start: Date | string = startOfTests): TestClock => {
  let now = new Date(start).getTime();
  return {
    now: () => new Date(now),
    set: (time) => {
      now = new Date(time).getTime();
    },
    advance: (seconds) => {
      now += seconds * 1000;
    },
  };
};

export interface TestContext extends Context {
  readonly clock: TestClock;
  readonly databaseUrl: string;
  close: () => Promise<void>;
}

export interface TestOptions extends Omit<Overrides, 'clock'> {
  /** Environment variables, which override the test defaults. */
  env?: Record<string, string>;
  clock?: TestClock;
  application?: Application;
  /** Database to share; without it the context creates one and drops it at `close`. */
  databaseUrl?: string;
}

/** A temporary folder, removed at the end of the test run. */
export const testFolder = (): Promise<string> => mkdtemp(join(inject('runFolder'), 'f-'));

export const testContext = async (options: TestOptions = {}): Promise<TestContext> => {
  const { env, clock = testClock(), application = 'test', databaseUrl, ...overrides } = options;
  const database = databaseUrl === undefined ? await createTestDatabase() : undefined;
  const url = databaseUrl ?? database?.url ?? '';
  const folder = await testFolder();
  const config = readConfig({
    DATABASE_URL: url,
    DATABASE_POOL: '5',
    // Longer than in the service, since test machines are busy.
    DATABASE_WAIT_SECONDS: '30',
    DATA_DIR: folder,
    PORT: '0',
    JWT_SECRET: 'test-key-0123456789-0123456789-0123456789',
    SAFETY_CODE: 'test-safety-code-0123456789',
    LOG_LEVEL: 'silent',
    DEPLOYMENT: 'test',
    VERIFY_ANSWERS: '1',
    SHUTDOWN_DRAIN_SECONDS: '0',
    ...env,
  });
  const log = overrides.log ?? createLogger(application, config.LOG_LEVEL);
  // Imported here, so that tests of only the database do not load queues, mail and storage.
  const { createContext } = await import('#data/context.ts');
  const context = await createContext(config, application, { ...overrides, log, clock });
  const close = async () => {
    await context.close();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...context, clock, databaseUrl: url, close, [Symbol.asyncDispose]: close };
};
