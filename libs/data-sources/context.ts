import type { Logger } from 'pino';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { FileStorage, MailSender } from '#domain/ports.ts';
import type { Clock } from '#domain/time.ts';
import type { Config } from '#platform/config/config.ts';
import type { Gateways } from '#domain/subscriptions/gateway.ts';
import { createHttp } from '#platform/http.ts';
import type { Http } from '#platform/http.ts';
import type { Application } from '#platform/process.ts';
import { createLogger } from '#platform/log/log.ts';
import { createPostgres } from '#store/postgres/pool.ts';
import { applicationName } from '#store/postgres/processes.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { assertSessions } from '#store/postgres/session-guard.ts';
import { assertSchema, createSchemaGuard } from '#store/postgres/migrations.ts';
import type { SchemaGuard } from '#store/postgres/migrations.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { createQueues } from '#store/queue/queues.ts';
import type { Queues } from '#store/queue/types.ts';
import { assertOpens } from '#store/reseal.ts';
import { assertOwnStorage } from '#store/storage/identity.ts';
import { createStorage } from '#store/storage/storage.ts';
import { createGateways } from './gateways/gateways.ts';
import { createMailSender } from './mail/mail.ts';

/** All external dependencies of an app, created in one place and closed in one place. */
export interface Context extends AsyncDisposable {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly postgres: Postgres;
  readonly schema: SchemaGuard;
  readonly queues: Queues;
  readonly jobs: JobProducer<Tx>;
  readonly storage: FileStorage;
  readonly mail: MailSender;
  readonly http: Http;
  readonly gateways: Gateways;
  close: () => Promise<void>;
}

export type Overrides = Partial<Pick<Context, 'log' | 'clock' | 'storage' | 'mail' | 'http' | 'gateways'>>;

const systemClock: Clock = { now: () => new Date() };

/** Throws `SessionError` (a pooler shares sessions), `SchemaError` (other schema version) or `ConfigError` (missing key). */
export const createContext = async (
  config: Config,
  application: Application,
  overrides: Overrides = {},
): Promise<Context> => {
  const log = overrides.log ?? createLogger(application, config.LOG_LEVEL, { format: config.LOG_FORMAT });
  if (config.SOURCES === 'simulated')
    log.warn('SOURCES=simulated: weather, winds, ATIS and NOTAM are generated, not real');
  if (config.ACCEPT_TEST_PAYMENTS)
    log.error('ACCEPT_TEST_PAYMENTS=1: test orders of the payment gateways give real access');
  const postgres = createPostgres(
    {
      connectionString: config.DATABASE_URL,
      // Shown by `ops status`.
      applicationName: applicationName(application),
      max: config.DATABASE_POOL,
      waitMs: config.DATABASE_WAIT_SECONDS * 1_000,
      // Of the API: longest time that an answer may take.
      statementTimeoutMs: application === 'api' ? 5_000 : 60_000,
    },
    log,
  );
  const schema = await createSchemaGuard(postgres.db);
  try {
    await assertSessions(postgres);
    await assertSchema(schema);
    if (application !== 'ops') await assertOpens(postgres, config.ENCRYPTION_KEYS);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  const queues = await createQueues(config, application, log);
  const mail = overrides.mail ?? (await createMailSender(config));
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      await queues.close();
      await mail.close();
      await postgres.close();
    })();
    return closing;
  };
  const clock = overrides.clock ?? systemClock;
  const http = overrides.http ?? createHttp(log);
  return {
    config,
    log,
    clock,
    postgres,
    schema,
    queues,
    jobs: queues.producer,
    storage: overrides.storage ?? createStorage(config),
    mail,
    http,
    gateways: overrides.gateways ?? (await createGateways({ config, http, clock })),
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** Context of a service process; also throws `StorageIdentityError` when its files belong to another database. */
export const openContext = async (config: Config, application: Application): Promise<Context> => {
  const context = await createContext(config, application);
  try {
    await assertOwnStorage(context);
    return context;
  } catch (error) {
    await context.close();
    throw error;
  }
};
