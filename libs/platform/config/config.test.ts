import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { variables } from './variables.ts';
import { ConfigError, readConfig } from './config.ts';

const root = join(import.meta.dirname, '../../..');
let folder: string;
const folders: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
  folders.push(folder);
});
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

const good = {
  DATABASE_URL: 'postgres://u:p@127.0.0.1/db',
  JWT_SECRET: 'k'.repeat(32),
  SAFETY_CODE: 's'.repeat(16),
};

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe('readConfig', () => {
  test('The configuration has defaults, and URLs derived from others', () => {
    const config = readConfig({ ...good, PORT: '9000', BASE_URL: 'https://efb.example/' });
    expect(config).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 9000,
      BASE_URL: 'https://efb.example',
      WEB_BASE_URL: 'https://efb.example',
      DEPLOYMENT: 'production',
      LANES: ['durable', 'compute', 'ingest'],
    });
    expect(readConfig(good).BASE_URL).toBe('http://127.0.0.1:8080');
  });

  test('All problems are reported together, without the values of secrets', () => {
    const problems = problemsOf({
      PORT: 'eighty',
      DATABASE_URL: 'mysql://root:hunter2@x/y',
      JWT_SECRET: 'short-secret',
      LANES: 'durable,fast',
      METAR_URL: 'ftp://x',
    });
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'JWT_SECRET',
      'LANES',
      'METAR_URL',
      'SAFETY_CODE',
    ]);
    expect(problems.join()).not.toMatch(/hunter2|short-secret/);
  });

  test('A missing variable is reported with the misspelt name meant for it, and a wrong gateway value is not missing', () => {
    const problems = problemsOf({ DATABSE_URL: 'postgres://h/x', PORT: 'eighty' });
    expect(problems).toEqual([
      expect.stringMatching(/^PORT: /),
      expect.stringMatching(/^DATABASE_URL: is missing/),
      'JWT_SECRET: is missing',
      'SAFETY_CODE: is missing',
      'DATABSE_URL is not a variable of this service. Did you mean DATABASE_URL?',
    ]);
  });

  test('An IPv6 address is enclosed in brackets', () => {
    expect(readConfig({ ...good, HOST: '::1', PORT: '9000' }).BASE_URL).toBe('http://[::1]:9000');
  });

  test('A problem describes the valid values', () => {
    expect(
      problemsOf({
        ...good,
        PORT: '99999',
        LOG_LEVEL: 'loud',
        RATE_LIMIT_SCALE: '-1',
        REQUIRE_HTTPS: 'maybe',
      }),
    ).toEqual([
      'PORT: must be at most 65535',
      'LOG_LEVEL: must be fatal, error, warn, info, debug, trace or silent',
      'RATE_LIMIT_SCALE: must be above 0',
      'REQUIRE_HTTPS: must be true or false (or 1 or 0)',
    ]);
  });

  test('Origins are accepted only as browsers send them', () => {
    const wanted = 'every entry must be an origin like https://efb.example:8443 (no path), or *';
    for (const text of [
      'nope',
      'https://a.example,nope,neither',
      'https://a.example/path',
      'https://a.example/',
      'ftp://a.example',
      'https://u@a.example',
      'https://a.example:port',
      'https://a.example,',
    ])
      expect([text, ...problemsOf({ ...good, CORS_ORIGINS: text })]).toEqual([
        text,
        `CORS_ORIGINS: ${wanted}`,
      ]);
    expect(readConfig(good).CORS_ORIGINS).toEqual(['*']);
    expect(
      readConfig({ ...good, CORS_ORIGINS: 'HTTPS://A.example:443, http://[::1]:3000,http://localhost:5173' })
        .CORS_ORIGINS,
    ).toEqual(['https://a.example', 'http://[::1]:3000', 'http://localhost:5173']);
  });

  test('A DATA_DIR that is a file is reported as such', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => readConfig({ DATA_DIR: file }, 'postgres://embedded')).toThrow(
      `DATA_DIR: ${file} is not a folder that can be written to (ENOTDIR)`,
    );
  });

  test('With an external database the secrets are mandatory', () => {
    expect(problemsOf({ DATABASE_URL: good.DATABASE_URL })).toEqual([
      'JWT_SECRET: is missing',
      'SAFETY_CODE: is missing',
    ]);
    expect(problemsOf({})).toHaveLength(3);
  });

  test('With the embedded database secrets are generated once, readable only by the owner', () => {
    const env = { DATA_DIR: folder };
    const first = readConfig(env, 'postgres://embedded/efb');
    expect(readConfig(env, 'postgres://embedded/efb').JWT_SECRET).toEqual(first.JWT_SECRET);
    expect(first.JWT_SECRET[0]?.length).toBeGreaterThanOrEqual(32);
    const path = join(folder, 'secrets.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      SAFETY_CODE: first.SAFETY_CODE.join(),
      ENCRYPTION_KEYS: first.ENCRYPTION_KEYS[0],
    });
    // A separate key, and the key that was used before there was a separate one.
    expect(first.ENCRYPTION_KEYS.slice(1)).toEqual(first.JWT_SECRET);
    expect(first.ENCRYPTION_KEYS[0]).not.toBe(first.JWT_SECRET[0]);
  });

  test('Secrets have several values with the first in use, and the token keys decrypt what they encrypted', () => {
    const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];
    const config = readConfig({
      ...good,
      JWT_SECRET: `${first}, ${second}`,
      ENCRYPTION_KEYS: second,
      SAFETY_CODE: `${first},${second}`,
    });
    expect([config.ENCRYPTION_KEYS, config.SAFETY_CODE]).toEqual([
      [second, first],
      [first, second],
    ]);
    expect(problemsOf({ ...good, ENCRYPTION_KEYS: `${first},`, SAFETY_CODE: 'short,' })).toEqual([
      'ENCRYPTION_KEYS: every key must have at least 32 characters',
      'SAFETY_CODE: every value must have at least 16 characters',
    ]);
  });

  test.each(['', '{"JWT_SECRET":"half of a', 'null', '{"JWT_SECRET":"short","SAFETY_CODE":"x"}'])(
    'A damaged secrets file (%j) is reported in a sentence and left unchanged',
    (text) => {
      const path = join(folder, 'secrets.json');
      writeFileSync(path, text);
      expect(() => readConfig({ DATA_DIR: folder }, 'postgres://embedded/efb')).toThrow(
        `DATA_DIR: ${path} is damaged. Restore it from a backup. Without one`,
      );
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  test('Processes that start simultaneously have the same secrets, and no other file remains', async () => {
    const script = `
      import { storedSecrets } from '#platform/config/secrets.ts';
      process.stdout.write(JSON.stringify(storedSecrets(${JSON.stringify(folder)})));`;
    const run = promisify(execFile);
    const runs = await Promise.all(
      Array.from({ length: 3 }, () =>
        run(process.execPath, ['--input-type=module', '-e', script], { cwd: root }),
      ),
    );
    expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1);
    expect(JSON.parse(runs[0]?.stdout ?? '')).toMatchObject({ ENCRYPTION_KEYS: [expect.any(String)] });
    expect(readdirSync(folder)).toEqual(['secrets.json']);
  });

  test('Every variable is described', () => {
    for (const [name, variable] of Object.entries(variables))
      expect([name, variable.text.length > 10]).toEqual([name, true]);
  });
});
