import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf } from '#domain/errors.ts';
import type { z } from 'zod';
import { editDistance } from '#domain/fields/nearest.ts';
import { OperatorError } from '../errors.ts';
import { gatewayProblems } from './gateways.ts';
import { variables } from './variables.ts';
import { DamagedSecretsError, storedSecrets } from './secrets.ts';
import type { Secrets } from './secrets.ts';

type Values = { [K in keyof typeof variables]: z.output<(typeof variables)[K]['schema']> };

/** Set in every configuration, if only to a default that depends on others. */
type Present =
  | 'BASE_URL'
  | 'WEB_BASE_URL'
  | 'DATABASE_URL'
  | 'JWT_SECRET'
  | 'ENCRYPTION_KEYS'
  | 'SAFETY_CODE';

export type Config = Readonly<Values & { [K in Present]: NonNullable<Values[K]> }>;

export class ConfigError extends OperatorError {
  override name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

type Environment = Record<string, string | undefined>;

/** URL of a host and port; IPv6 addresses get brackets. */
export const addressOf = (host: string, port: number | string): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The values, and one line per invalid variable. */
const parseValues = (
  env: Environment,
): { values: Values; problems: string[]; wrong: ReadonlySet<string> } => {
  const problems: string[] = [];
  const wrong = new Set<string>();
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(variables)) {
    const raw = env[name];
    const result = variable.schema.safeParse(raw === '' ? undefined : raw);
    if (result.success) {
      values[name] = result.data;
      continue;
    }
    wrong.add(name);
    problems.push(`${name}: ${[...new Set(result.error.issues.map((issue) => issue.message))].join(', ')}`);
  }
  return { values: values as Values, problems, wrong };
};

const unusable = (dataDir: string, code: string): string =>
  `DATA_DIR: ${dataDir} is not a folder that can be written to (${code})`;

/** Throws `ConfigError` unless DATA_DIR is writable; creates the folder if needed. */
export const assertUsableFolder = (dataDir: string): void => {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigError([unusable(dataDir, codeOf(error))]);
  }
};

/** `storedSecrets`; an unusable folder or file is reported as an invalid DATA_DIR. */
const usableSecrets = (dataDir: string): Secrets => {
  try {
    return storedSecrets(dataDir);
  } catch (error) {
    if (error instanceof DamagedSecretsError) throw new ConfigError([`DATA_DIR: ${error.message}`]);
    const code = codeOf(error);
    if (!['ENOTDIR', 'EEXIST', 'EACCES', 'EROFS', 'EPERM'].includes(code)) throw error;
    throw new ConfigError([unusable(dataDir, code)]);
  }
};

/** Short names resemble common variables of other programs: `HOST` and `HOME`. */
const shortest = 5;

const isTypo = (given: string, known: string): boolean =>
  Math.abs(given.length - known.length) <= 2 && editDistance(given, known) <= (known.length < 8 ? 1 : 2);

/** One sentence per environment variable whose name resembles a known one. */
export const variableTypos = (env: Record<string, string | undefined> = process.env): string[] => {
  const names = Object.keys(variables);
  const known = new Set(names);
  return Object.keys(env)
    .filter((given) => !known.has(given) && given.length >= shortest)
    .flatMap((given) => {
      const meant = names.find((name) => isTypo(given, name));
      return meant === undefined
        ? []
        : [`${given} is not a variable of this service. Did you mean ${meant}?`];
    });
};

/** A backup stored beside its data would be lost with them. */
const backupProblems = (url: string | undefined, dataDir: string): string[] => {
  if (url?.startsWith('file:') !== true) return [];
  const isInside = `${fileURLToPath(url)}${sep}`.startsWith(`${resolve(dataDir)}${sep}`);
  return isInside ? ['BACKUP_URL: must not be inside DATA_DIR'] : [];
};

/**
 * Reads and validates the environment. `embeddedDatabaseUrl` replaces an absent DATABASE_URL and allows generated
 * secrets. Throws `ConfigError` with all problems, but never with values of secrets.
 */
export const readConfig = (env: Environment = process.env, embeddedDatabaseUrl?: string): Config => {
  const { values, problems: wrongValues, wrong } = parseValues(env);
  if (wrong.has('DATA_DIR')) throw new ConfigError(wrongValues);
  const dataDir = resolve(values.DATA_DIR);
  const embedded = values.DATABASE_URL === undefined ? embeddedDatabaseUrl : undefined;
  const kept = embedded === undefined ? undefined : usableSecrets(dataDir);
  const databaseUrl = values.DATABASE_URL ?? embedded;
  const jwt = values.JWT_SECRET ?? kept?.JWT_SECRET;
  const safetyCode = values.SAFETY_CODE ?? kept?.SAFETY_CODE;
  const encryption = values.ENCRYPTION_KEYS ?? kept?.ENCRYPTION_KEYS ?? [];
  const isMissing = (name: string, value: unknown): boolean => value === undefined && !wrong.has(name);
  const problems = [
    ...wrongValues,
    ...(isMissing('DATABASE_URL', databaseUrl)
      ? ['DATABASE_URL: is missing (npm start runs an embedded database)']
      : []),
    ...(isMissing('JWT_SECRET', jwt) ? ['JWT_SECRET: is missing'] : []),
    ...(isMissing('SAFETY_CODE', safetyCode) ? ['SAFETY_CODE: is missing'] : []),
    ...backupProblems(values.BACKUP_URL, dataDir),
    // An invalid value is not reported as missing, too.
    ...gatewayProblems(values).filter((line) => !wrong.has(line.split(':', 1)[0] ?? '')),
  ];
  if (databaseUrl === undefined || jwt === undefined || safetyCode === undefined || problems.length > 0)
    throw new ConfigError([...problems, ...variableTypos(env)]);
  const baseUrl = (values.BASE_URL ?? addressOf(values.HOST, values.PORT)).replace(/\/$/, '');
  return Object.freeze({
    ...values,
    DATA_DIR: dataDir,
    BASE_URL: baseUrl,
    WEB_BASE_URL: (values.WEB_BASE_URL ?? baseUrl).replace(/\/$/, ''),
    DATABASE_URL: databaseUrl,
    JWT_SECRET: jwt,
    // Before ENCRYPTION_KEYS existed, JWT_SECRET encrypted stored values.
    ENCRYPTION_KEYS: [...new Set([...encryption, ...jwt])],
    SAFETY_CODE: safetyCode,
    TRY_DEVELOPER_KEY: values.TRY_DEVELOPER_KEY ?? kept?.TRY_DEVELOPER_KEY,
  });
};

/** A short public name for a key, so that tokens can name the key that signed them. */
export const keyIdOf = (key: string): string =>
  createHash('sha256').update(key).digest('base64url').slice(0, 8);
