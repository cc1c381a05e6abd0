import { z } from 'zod';
import { valuesField } from './secrets.ts';
import { databaseUrlSchema } from './database-url.ts';
import { gatewayVariables } from './gateways.ts';
import { sourceVariables } from './sources.ts';
import type { Variable } from './sources.ts';

const urlSchema = z.url('must be an absolute URL');
const optional = <T extends z.ZodType>(schema: T) => schema.optional();
const integer = (min: number, max: number) =>
  z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);
const flagSchema = z
  .enum(['0', '1', 'true', 'false'], 'must be true or false (or 1 or 0)')
  .transform((v) => v === '1' || v === 'true');

/** `*`, or an origin as browsers send it (lower case, no default port); undefined for anything else. */
const originOf = (text: string): string | undefined => {
  if (text === '*') return text;
  if (!/^https?:\/\/[^/?#@\s]+$/i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).origin;
};

/** All environment variables: schema, whether secret, and text in docs/configuration.md. Read only by config.ts. */
export const variables = {
  HOST: { schema: z.string().min(1).default('127.0.0.1'), text: 'Address the API listens on.' },
  PORT: { schema: integer(0, 65535).default(8080), text: 'Port of the API.' },
  BASE_URL: {
    schema: optional(urlSchema),
    text: 'Public URL of the API, used in links. Default: `http://HOST:PORT`.',
  },
  WEB_BASE_URL: {
    schema: optional(urlSchema),
    text: 'Public URL of the web pages. Default: `BASE_URL`.',
  },
  DATABASE_URL: {
    schema: optional(databaseUrlSchema),
    secret: true,
    text: 'Postgres 18, or a proxy or a pooler in session mode in front of it. Without it, `npm start` runs an embedded Postgres 18 under `DATA_DIR`.',
  },
  DATABASE_POOL: {
    schema: integer(1, 200).default(10),
    text: 'Maximum number of database connections per process that read, and of those that write.',
  },
  DATABASE_WAIT_SECONDS: { schema: integer(1, 60).default(2), text: 'Wait for a free database connection.' },
  REDIS_URL: {
    schema: optional(z.string().regex(/^rediss?:\/\//, 'must start with redis://')),
    secret: true,
    text: 'Redis or Valkey for the compute lane. Without it these jobs run on Postgres.',
  },
  DATA_DIR: {
    schema: z.string().min(1).default('.data'),
    text: 'Embedded database, files, outbox, secrets.',
  },
  STORAGE_URL: {
    schema: optional(z.string().regex(/^(file:\/\/|s3:\/\/)/, 'must be a file:// or s3:// URL')),
    secret: true,
    text: 'File storage: `file:///folder` or `s3://KEY:SECRET@HOST/BUCKET?region=R` (`&tls=0` for plain HTTP). Without `KEY:SECRET@` the credentials are those that the AWS SDK finds: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, a shared file, a workload identity or the role of the machine. Default: `DATA_DIR/files`.',
  },
  SMTP_URL: {
    schema: optional(z.string().regex(/^smtps?:\/\//, 'must start with smtp://')),
    secret: true,
    text: 'Mail server. Without it, mails are written as .eml files under `DATA_DIR/outbox`.',
  },
  MAIL_FROM: {
    schema: z.email('must be an email address').default('efb@localhost.localdomain'),
    text: 'Sender address of mails.',
  },
  OPERATOR_EMAIL: {
    schema: z.email('must be an email address').default('operator@localhost.localdomain'),
    text: 'Address that receives feedback.',
  },
  JWT_SECRET: {
    schema: optional(valuesField(32)),
    secret: true,
    text: 'Keys of user tokens, comma-separated: the first signs, all verify (rotation). Generated with the embedded database.',
  },
  ENCRYPTION_KEYS: {
    schema: optional(valuesField(32)),
    secret: true,
    text: 'Encryption keys for stored API keys, PINs, links and codes of shares, and webhook secrets, comma-separated: the first encrypts, all decrypt. The keys in `JWT_SECRET` decrypt, too, and are used without this variable. Generated with the embedded database. Startup fails if a stored secret can be decrypted with none of them.',
  },
  SAFETY_CODE: {
    schema: optional(valuesField(16, 'value')),
    secret: true,
    text: 'Server secrets of the signed subscription endpoint, comma-separated: the first signs, all verify (rotation). Generated with the embedded database.',
  },
  DEPLOYMENT: {
    schema: z.enum(['production', 'test'], 'must be production or test').default('production'),
    setBy: 'Operators of a second installation, for tests: `test`.',
    text: 'Label of the installation in /v2/health, `production` or `test`; it changes nothing else.',
  },
  VERIFY_ANSWERS: {
    schema: flagSchema.default(false),
    setBy: '`npm run dev` and the tests of the project: `1`. Never where users are.',
    text: 'Every answer is validated against its schema; a wrong one is a 500.',
  },
  REGISTER_PAGE: {
    schema: flagSchema.default(true),
    text: 'Anybody may create an account at `/register`. Without it the operator and applications do.',
  },
  LOG_LEVEL: {
    schema: z
      .enum(
        ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
        'must be fatal, error, warn, info, debug, trace or silent',
      )
      .default('info'),
    text: 'Minimum log level.',
  },
  LOG_FORMAT: {
    schema: optional(z.enum(['json', 'pretty'], 'must be json or pretty')),
    text: '`json`, or `pretty` for short lines for a reader. Default: `pretty` on a terminal, else `json`.',
  },
  RATE_LIMIT_SCALE: {
    schema: z.coerce.number('must be a number').positive('must be above 0').default(1),
    setBy: 'Load runs and tests: a large number.',
    text: 'Factor for the limits that the specification leaves open (tests and load runs).',
  },
  CORS_ORIGINS: {
    schema: z
      .string()
      .default('*')
      .transform((text) => text.split(',').map((origin) => originOf(origin.trim())))
      .pipe(z.array(z.string('every entry must be an origin like https://efb.example:8443 (no path), or *'))),
    text: 'Origins from which browsers may call (`https://HOST` or with `:PORT`), comma-separated, or `*`.',
  },
  TRUSTED_PROXIES: {
    schema: integer(0, 10).default(0),
    text: 'Number of trusted proxies in front (X-Forwarded-For).',
  },
  REQUIRE_HTTPS: {
    schema: flagSchema.default(false),
    setBy: 'Operators whose proxies also accept plain HTTP: `1`.',
    text: 'Refuse requests that did not reach the proxy over HTTPS.',
  },
  HEALTH_FILE: {
    schema: optional(z.string().min(1)),
    text: 'File that workers and scheduler touch every 5 s while they are healthy, for the health check of their container.',
  },
  METRICS_PORT: {
    schema: optional(integer(0, 65535)),
    text: 'Port of `/metrics` for Prometheus on `HOST`, separate from the public port; without it there are no metrics. With `npm start` the API uses this port, workers and scheduler the next one.',
  },
  SHUTDOWN_DRAIN_SECONDS: {
    schema: z.coerce
      .number('must be a number')
      .min(0, 'must be at least 0')
      .max(5, 'must be at most 5')
      .default(2),
    text: 'Time between SIGTERM, when `/readyz` changes to 503, and the end of listening, within which a load balancer must notice.',
  },
  LANES: {
    schema: z
      .string()
      .default('durable,compute,ingest')
      .transform((text) => text.split(',').map((lane) => lane.trim()))
      .pipe(z.array(z.enum(['durable', 'compute', 'ingest'], 'lanes are durable, compute, ingest'))),
    text: 'Job lanes that a worker process serves. Without `ingest`, `npm start` runs no feeds.',
  },
  SOURCES: {
    schema: z.enum(['live', 'simulated'], 'must be live or simulated').default('live'),
    setBy: 'Developers without a network: `simulated`.',
    text: '`live`, or `simulated` for a local server with generated reports; its data are marked in answers, `/v2/health`, on the status page and in the log.',
  },
  SEED_DEMO: {
    schema: flagSchema.default(false),
    setBy: 'Developers and demonstrations: `1`.',
    text: '`1` or `true`: `npm run migrate` and `npm start` add three fictional partner airlines.',
  },
  BACKUP_URL: {
    schema: z
      .string()
      .regex(/^(file:\/\/\/|s3:\/\/)/, 'must be a file:/// or s3:// URL')
      .optional(),
    secret: true,
    text: 'Where a worker puts a backup every six hours: a folder on another disk or a separate bucket, written as in `STORAGE_URL`. No scheduled backups without it.',
  },
  TRY_DEVELOPER_KEY: {
    schema: z.string().min(32, 'must have at least 32 characters').optional(),
    secret: true,
    text: 'Developer key of the calculator at `/try`, which is off without one. `npm run migrate` and `npm start` create an unknown one, with the permission `weather`, and its account. Generated with a new embedded database; `devkey revoke` switches the calculator off.',
  },
  CONSOLE: {
    schema: z.enum(['on', 'off', 'http'], 'must be on, off or http').default('on'),
    text: "The operator's console at `/console`: `on` over HTTPS and from the machine itself, `http` also without HTTPS (in a private network), or `off`.",
  },
  LIBRARY_MAX_UPLOAD_MB: {
    schema: integer(1, 5_000).default(50),
    text: 'Largest file that users may upload to their library, within their quota.',
  },
  ...sourceVariables,
  ...gatewayVariables,
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: z.url('must be an absolute URL').optional(),
    text: 'Collector that receives traces as OTLP over HTTP (JSON), at `/v1/traces` below this address, for example `http://127.0.0.1:4318`. No traces without it. `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` have their standard meaning.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z.coerce
      .number('must be a number')
      .min(0, 'must be at least 0')
      .max(1, 'must be at most 1')
      .default(1),
    text: 'Share of traces that are recorded, 0 to 1, whatever the `traceparent` of a caller requests.',
  },
  WEBHOOKS_TO_PRIVATE_NETWORKS: {
    schema: flagSchema.default(false),
    setBy: 'Operators whose applications are in their own network, and developers: `1`.',
    text: 'Webhooks of applications may use plain HTTP and private addresses. Without it, only HTTPS and public addresses.',
  },
} as const satisfies Record<string, Variable>;
