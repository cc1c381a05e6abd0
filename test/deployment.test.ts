/** The version, the image and its compose file, as far as they can be checked without a Docker engine. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { variables } from '#platform/config/variables.ts';
import { readConfig } from '#platform/config/config.ts';
import { testFolder } from './harness.ts';

const root = join(import.meta.dirname, '..');
const textOf = (name: string) => readFileSync(join(root, name), 'utf8');

interface Service {
  image?: string;
  build?: string;
  pull_policy?: string;
  command?: string[];
  volumes?: string[];
  environment?: Record<string, string>;
  healthcheck?: { test?: string[]; disable?: string };
  depends_on?: Record<string, { condition: string }>;
  profiles?: string[];
  ports?: string[];
  restart?: string;
  init?: string;
  env_file?: { path: string; required: string }[];
  stop_grace_period?: string;
}

// All scalars as texts: Compose's conversion of types is not compared.
const compose = parse(textOf('docker-compose.yml'), { schema: 'failsafe', merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, string>;
};
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image?.startsWith('efb-backend'));

describe('the version', () => {
  test('The version is the same in package.json, its lock, the client, the changelog and the label of the image', () => {
    const textsOf = (file: string) =>
      JSON.parse(textOf(file)) as { version: string; packages?: Record<string, { version?: string }> };
    const { version } = textsOf('package.json');
    const lock = textsOf('package-lock.json');
    expect([
      lock.version,
      lock.packages?.['']?.version,
      textsOf('clients/typescript/package.json').version,
    ]).toEqual([version, version, version]);
    expect(/^## (\d\S*)$/m.exec(textOf('CHANGELOG.md'))?.[1]).toBe(version);
    expect(textOf('Dockerfile')).toContain(`LABEL org.opencontainers.image.version="${version}"\n`);
  });
});

describe('docker-compose.yml', () => {
  test('The compose file is valid by the published schema', () => {
    // The schema names draft 7 with https, which Ajv does not know.
    const { $schema: _, ...schema } = JSON.parse(textOf('test/support/compose-spec.json')) as Record<
      string,
      unknown
    >;
    const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
    const file: unknown = parse(textOf('docker-compose.yml'), { merge: true });
    validate(file);
    expect(validate.errors).toBeNull();
    expect(validate({ services: { api: { command: 1 } } })).toBe(false);
  });

  test('All tiers use one image, which is built once and never pulled from a registry', () => {
    expect(ours.map(([name]) => name)).toEqual(['migrate', 'api', 'workers', 'scheduler']);
    expect(new Set(ours.map(([, { image }]) => image)).size).toBe(1);
    expect(services.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual([
      'migrate',
    ]);
    for (const [name, service] of ours)
      expect([name, service.pull_policy, service.init]).toEqual([name, 'never', 'true']);
  });

  test('Every container runs Node with an existing file, and has time to stop', () => {
    for (const [name, { command = [], stop_grace_period }] of ours) {
      expect([name, command[0], command.length]).toEqual([name, 'node', 2]);
      expect([name, existsSync(join(root, command[1] ?? ''))]).toEqual([name, true]);
      expect([name, Number.parseInt(stop_grace_period ?? '0', 10) >= 10]).toEqual([name, true]);
    }
  });

  test('Every long-running service has a health check, and dependants wait for it', () => {
    const unchecked = services.filter(([, { healthcheck }]) => healthcheck?.test?.[0] !== 'CMD');
    expect(unchecked.map(([name, { restart }]) => [name, restart])).toEqual([['migrate', 'no']]);
    const conditions = services.flatMap(([, { depends_on = {} }]) => Object.values(depends_on));
    expect(conditions.length).toBeGreaterThan(3);
    for (const { condition } of conditions)
      expect(condition).toMatch(/^service_(healthy|completed_successfully)$/);
    for (const name of ['workers', 'scheduler'])
      expect(compose.services[name]?.environment?.['HEALTH_FILE']).toMatch(/^\/tmp\//);
    expect(compose.services['api']?.environment?.['HEALTH_FILE']).toBeUndefined();
  });

  test('Only the API publishes a port; Mailpit and Prometheus need a profile and listen on loopback; metrics stay internal', () => {
    const published = services.filter(([, { ports }]) => ports).map(([name, { ports }]) => [name, ports]);
    expect(published).toEqual([
      ['mailpit', ['127.0.0.1:8025:8025']],
      ['prometheus', ['127.0.0.1:9090:9090']],
      ['api', ['${API_PORTS:-8080}:8080']],
    ]);
    expect(compose.services['mailpit']?.profiles).toEqual(['dev']);
    expect(compose.services['prometheus']?.profiles).toEqual(['monitoring']);
    for (const tier of ['api', 'workers', 'scheduler'])
      expect(compose.services[tier]?.environment).toMatchObject({ METRICS_PORT: '9464' });
    expect(textOf('docker-compose.yml').replaceAll(/SMTP_URL:.*/g, '')).not.toMatch(/mailpit:1025/);
  });

  test('Third-party images have a fixed version, and the database has enough connections for 8 processes', () => {
    for (const [name, { image = '' }] of services)
      expect([name, image]).toEqual([name, expect.stringMatching(/:\w/)]);
    const limit = compose.services['postgres']?.command?.find((part) => part.startsWith('max_connections='));
    const perProcess = 4 * variables.DATABASE_POOL.schema.parse(undefined);
    expect(Number(limit?.split('=')[1])).toBeGreaterThanOrEqual(8 * perProcess);
  });

  test('Settings that weaken or simulate something are off by default, in the image and in the compose file', () => {
    const config = readConfig({
      DATABASE_URL: 'postgres://x/y',
      JWT_SECRET: 'x'.repeat(32),
      SAFETY_CODE: 'y'.repeat(16),
    });
    const switches = Object.entries(variables).flatMap(([name, variable]) =>
      'setBy' in variable ? [name] : [],
    );
    expect(Object.fromEntries(switches.map((name) => [name, config[name as keyof typeof config]]))).toEqual({
      DEPLOYMENT: 'production',
      VERIFY_ANSWERS: false,
      RATE_LIMIT_SCALE: 1,
      REQUIRE_HTTPS: false,
      SOURCES: 'live',
      SEED_DEMO: false,
      ACCEPT_TEST_PAYMENTS: false,
      WEBHOOKS_TO_PRIVATE_NETWORKS: false,
    });
    const set = [...textOf('Dockerfile').matchAll(/^ENV (.*)$/gm)].map(([, list = '']) => list).join(' ');
    expect(switches.filter((name) => set.includes(`${name}=`))).toEqual([]);
    const given = ours.flatMap(([, { environment = {} }]) => Object.entries(environment));
    expect(new Set(given.filter(([name]) => switches.includes(name)).map(([, value]) => value))).toEqual(
      new Set(['${DEPLOYMENT:-production}']),
    );
  });

  test('Every tier gets all of .env, which can change neither the address nor the folder in the container', () => {
    for (const [name, { env_file, environment }] of ours) {
      expect([name, env_file]).toEqual([name, [{ path: '.env', required: 'false' }]]);
      expect([name, environment]).toEqual([
        name,
        expect.objectContaining({ HOST: '0.0.0.0', PORT: '8080', DATA_DIR: '/data' }),
      ]);
    }
  });

  test('No secret has a default, and every variable is known to the service', () => {
    const text = textOf('docker-compose.yml');
    for (const name of ['POSTGRES_PASSWORD', 'JWT_SECRET', 'SAFETY_CODE']) {
      const uses = [...text.matchAll(new RegExp(`\\$\\{${name}([^}]*)\\}`, 'g'))].map(([, rest]) => rest);
      expect([name, uses.length > 0, new Set(uses)]).toEqual([name, true, new Set([':?run npm run env'])]);
      expect(textOf('.env.example')).toMatch(new RegExp(`^${name}=$`, 'm'));
    }
    for (const [name, { environment = {} }] of ours)
      expect([name, Object.keys(environment).filter((key) => !Object.hasOwn(variables, key))]).toEqual([
        name,
        [],
      ]);
  });
});

describe('the image', () => {
  test('The image runs Node as an unprivileged user, and contains one Node, no npm and no database', () => {
    const dockerfile = textOf('Dockerfile');
    const final = dockerfile.slice(dockerfile.lastIndexOf('FROM '));
    expect([...final.matchAll(/^COPY (?!--from)(\S+)/gm)].map(([, source]) => source)).toEqual([
      'package.json',
      'apps',
      'libs',
      'db',
      'docs/guide',
    ]);
    expect(final).toMatch(/^USER node$/m);
    expect(final).toMatch(/^CMD \["node", "apps\/api\/main\.ts"\]$/m);
    expect(final).not.toMatch(/^[A-Z].*npm/m);
    expect(dockerfile).toMatch(/npm ci --omit=dev .*&& node apps\/ops\/prune-modules\.cjs/);
    const ignored = textOf('.dockerignore').split('\n');
    expect(ignored).toContain('*');
    expect(ignored.filter((line) => line.startsWith('!'))).toEqual([
      '!apps',
      '!libs',
      '!db',
      '!docs',
      '!docs/guide',
      '!package.json',
      '!package-lock.json',
      '!.npmrc',
    ]);
  });
});

describe('npm run env', () => {
  const script = join(root, 'apps/ops/make-env.cjs');
  const run = (cwd: string) => spawnSync(process.execPath, [script], { cwd, encoding: 'utf8' });
  const settings = async (folder: string) =>
    new Map(
      (await readFile(join(folder, '.env'), 'utf8'))
        .split('\n')
        .filter((line) => /^\w+=/.test(line))
        .map((line): [string, string] => [
          line.slice(0, line.indexOf('=')),
          line.slice(line.indexOf('=') + 1),
        ]),
    );

  const secrets = ['POSTGRES_PASSWORD', 'JWT_SECRET', 'ENCRYPTION_KEYS', 'SAFETY_CODE'];

  test('The script env generates secrets once, readable by the owner only, and keeps them', async () => {
    const folder = await testFolder();
    await copyFile(join(root, '.env.example'), join(folder, '.env.example'));
    const first = run(folder);
    expect([first.status, first.stdout]).toEqual([0, `.env: generated ${secrets.join(', ')}\n`]);
    const made = await settings(folder);
    for (const name of secrets) expect(made.get(name)).toMatch(/^[\w-]{48}$/);
    expect(new Set(secrets.map((name) => made.get(name))).size).toBe(4);
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
    expect(first.stdout + first.stderr).not.toContain(made.get('JWT_SECRET'));
    expect(run(folder).stdout).toContain('nothing was changed');
    expect(await settings(folder)).toEqual(made);
  });

  test('The script env adds missing secrets to .env and keeps its values', async () => {
    const folder = await testFolder();
    await writeFile(join(folder, '.env'), 'JWT_SECRET=mine\nSAFETY_CODE=\nBASE_URL=https://efb.example');
    expect(run(folder).stdout).toBe('.env: generated POSTGRES_PASSWORD, ENCRYPTION_KEYS, SAFETY_CODE\n');
    const made = await settings(folder);
    expect([made.get('JWT_SECRET'), made.get('BASE_URL')]).toEqual(['mine', 'https://efb.example']);
    expect([made.get('POSTGRES_PASSWORD'), made.get('SAFETY_CODE')]).toEqual([
      expect.stringMatching(/^[\w-]{48}$/),
      expect.stringMatching(/^[\w-]{48}$/),
    ]);
  });
});
