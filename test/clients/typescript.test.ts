/** `clients/typescript` as it is packed, against the running service. */
import { execFile } from 'node:child_process';
import { cp, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiVersion } from '#api/dialects.ts';
import { clientChangelog } from '#tools/reference/client/changelog.ts';
import { clientTypes } from '#tools/reference/client/types.ts';
import { loadRegistries } from '#api/registry.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { testFolder } from '#test/harness.ts';
import { failure } from '#test/support/client-failure.ts';
import { clientScene } from '#test/support/client-scene.ts';
import { planText } from '#test/support/ofp.ts';
import { createClient, isErrorOf } from '../../clients/typescript/src/index.ts';
import type { ClientOptions, EfbError } from '../../clients/typescript/src/index.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const source = join(root, 'clients/typescript');
const tsc = join(root, 'node_modules/.bin/tsc');

/** Each line after the third is wrong. */
const wrongUses = `import { createClient, isErrorOf } from '@efb-backend/client';
const efb = createClient({ baseUrl: '' });
await efb.call('airportStatus');
await efb.call('wether', { icao: 'KJFK' });
await efb.call('weather', { iaco: 'KJFK' });
await efb.call('weather');
(await efb.call('weather', { icao: 'KJFK' })).metar.text;
if (isErrorOf(null, 'weather', 'OFP_NOT_FOUND')) void 0;
`;

let api: TestApi;
let user: TestUser;
let devKey: string;
beforeAll(async () => {
  ({ api, user, devKey } = await clientScene());
});
afterAll(() => api.close());

const credentialsOf = ({ email, password }: TestUser) => ({ email, password });
const clientOf = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: api.url, devKey, credentials: () => credentialsOf(user), ...options });

test('The committed types match the declarations', async () => {
  const folder = join(source, 'src/generated');
  const generated = clientTypes((await loadRegistries()).queries.operations);
  expect((await readdir(folder)).toSorted()).toEqual([...generated.keys()].toSorted());
  for (const [name, text] of generated)
    expect([name, await readFile(join(folder, name), 'utf8')]).toEqual([name, text]);
});

describe('the package', () => {
  let folder: string;
  let packed: { paths: string[]; size: number };
  /** Of the compiler. */
  let messages: string;
  beforeAll(async () => {
    const copy = join(await testFolder(), 'typescript');
    await cp(source, copy, { recursive: true, filter: (path) => !path.endsWith('/dist') });
    // As it is published: its own script builds it.
    const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}` };
    await run('npm', ['pack', '--silent'], { cwd: copy, env });
    const name = (await readdir(copy)).find((each) => each.endsWith('.tgz')) ?? '';
    const file = join(copy, name);
    const { stdout } = await run('tar', ['tzf', file]);
    packed = { paths: stdout.trim().split('\n'), size: (await stat(file)).size };
    // As it is used: npm installs it into a project that has nothing else.
    folder = await testFolder();
    await writeFile(join(folder, 'package.json'), '{ "name": "app", "private": true, "type": "module" }');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', file], { cwd: folder });
    await writeFile(join(folder, 'example.ts'), await readmeExample());
    await writeFile(join(folder, 'wrong.ts'), wrongUses);
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          exactOptionalPropertyTypes: true,
          module: 'nodenext',
          lib: ['esnext', 'dom', 'dom.iterable'],
          types: [],
          noEmit: true,
          skipLibCheck: false,
        },
        include: ['example.ts', 'wrong.ts'],
      }),
    );
    messages = await run(tsc, ['-p', '.'], { cwd: folder }).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  });

  /** The blocks of the README as one script that calls the service of this test. */
  const readmeExample = async (): Promise<string> => {
    const text = await readFile(join(source, 'README.md'), 'utf8');
    const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    expect(blocks.length).toBe(4);
    let script = blocks.join('\n');
    const { email, password } = user;
    for (const [placeholder, value] of Object.entries({
      'http://127.0.0.1:8080': api.url,
      'dk_…': devKey,
      'me@example.org': email,
      'a good one': password,
    })) {
      expect(script.split(placeholder)).toHaveLength(2);
      script = script.replace(placeholder, value);
    }
    return `const planFile = new File([${JSON.stringify(planText({}, 'json=v2'))}], 'plan.json');\n${script}`;
  };

  test('The package is the only dependency of an installing app, and states its contract version and changes', async () => {
    const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
      packages: object;
    };
    expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/@efb-backend/client']);
    const script = "import { contractVersion } from '@efb-backend/client'; console.log(contractVersion);";
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
    expect(stdout.trim()).toBe((await clientOf().call('checklistList')).apiVersion);
    const changelog = await readFile(join(folder, 'node_modules/@efb-backend/client/CHANGELOG.md'), 'utf8');
    expect(changelog).toBe(clientChangelog(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), apiVersion));
    expect(changelog).toContain(`version ${apiVersion} of the contract`);
    expect(changelog).toMatch(/^- TypeScript client: `timeoutMs`/m);
  });

  test('The package contains modules with their declarations, README and manifest, and nothing else', async () => {
    const sources = (await readdir(join(source, 'src'), { recursive: true })).filter((path) =>
      path.endsWith('.ts'),
    );
    const built = sources.flatMap((path) =>
      ['.js', '.d.ts'].map((end) => `dist/${path.replace(/\.ts$/, end)}`),
    );
    const paths = packed.paths.map((path) => path.replace(/^package\//, ''));
    expect(paths.toSorted()).toEqual(['CHANGELOG.md', 'README.md', 'package.json', ...built].toSorted());
    expect(packed.size).toBeLessThan(150_000);
  });

  test('The package imports only its own modules, and uses nothing of Node', async () => {
    const dist = join(folder, 'node_modules/@efb-backend/client/dist');
    const modules = (await readdir(dist, { recursive: true })).filter((path) => path.endsWith('.js'));
    for (const path of modules) {
      const text = await readFile(join(dist, path), 'utf8');
      const imports = [...text.matchAll(/(?:from|import)\s*\(?['"]([^'"]+)['"]/g)].map(
        ([, from = '']) => from,
      );
      expect([path, imports.filter((from) => !/^\.\.?\/.*\.js$/.test(from))]).toEqual([path, []]);
      expect([path, /\b(?:process|Buffer|require|__dirname|global)\b[.(]/.exec(text)]).toEqual([path, null]);
    }
    expect(modules.length).toBeGreaterThan(8);
  });

  test('The example of its README compiles strictly and runs against the service', async () => {
    expect(messages.split('\n').filter((line) => /^\S/.test(line) && !line.startsWith('wrong.ts('))).toEqual(
      [],
    );
    const { stdout } = await run(process.execPath, ['example.ts'], { cwd: folder });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^METAR KJFK .* 03012KT .* \d+$/);
    expect(lines.slice(1, -4).join('\n')).toMatch(/^MAX MANUAL \d+ meter$/m);
    expect(lines.slice(-4)).toEqual([
      'INVALID_ICAO 400',
      '1 landings calculated in flight',
      expect.stringMatching(/^true \S/),
      'version 1 {"uplifts":[8400]}',
    ]);
  });

  test('A wrong name, input or use of an answer does not compile', () => {
    const lines = [...messages.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line));
    expect([...new Set(lines)]).toEqual([4, 5, 6, 7, 8]);
  });
});

describe('calls to the service', () => {
  test('Errors in every form have code, status, log id and details', async () => {
    const efb = clientOf();
    const user1 = clientOf({ credentials: () => ({ email: user.email, password: 'wrong' }) });
    expect(await failure(efb.call('navdataSearch', { ident: '' }))).toEqual([
      'SUBSCRIPTION_LEVEL_REQUIRED',
      200,
    ]);
    expect(await failure(efb.call('weather', { icao: 'K!' }))).toEqual(['INVALID_ICAO', 400]);
    expect(await failure(efb.call('ofpGet', { ofpId: 'OFP-NONE' }))).toEqual(['OFP_NOT_FOUND', 404]);
    expect(await failure(user1.call('ofpList'))).toEqual(['INVALID_CREDENTIALS', 401]);
    const error = await efb.call('saveUserSettings', { defaultUnit: 'MILES' as never }).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'INVALID_INPUT', status: 400, logId: expect.any(Number) as number });
    expect((error as EfbError).details.join()).toContain('METRIC');
  });

  test('A refused token is replaced once, and simultaneous calls share a login', async () => {
    const tokens: string[] = [];
    const efb = clientOf({
      token: { token: 'not.a.token', expires: '2999-01-01T00:00:00Z' },
      onToken: ({ token }) => tokens.push(token),
    });
    const answers = await Promise.all([1, 2, 3].map(() => efb.call('refreshUserData')));
    expect(answers.map((answer) => answer.user.email)).toEqual([user.email, user.email, user.email]);
    expect(tokens).toHaveLength(1);
    efb.useToken({ token: tokens[0] ?? '', expires: new Date(Date.now() + 30_000).toISOString() });
    await efb.call('refreshUserData');
    // Given by `useToken`, and a new one because that would expire soon.
    expect(tokens).toHaveLength(3);
    const day = 86_400;
    api.context.clock.advance(-100 * day);
    const behind = clientOf({ onToken: ({ token }) => tokens.push(token) });
    await behind.call('refreshUserData');
    await behind.call('refreshUserData');
    api.context.clock.advance(100 * day);
    // The device is 100 days ahead of the service, yet logs in only once.
    expect(tokens).toHaveLength(4);
    expect(await failure(createClient({ baseUrl: api.url, devKey }).call('refreshUserData'))).toEqual([
      'AUTH_REQUIRED',
      401,
    ]);
  });

  test('The option staysSignedIn renews the token once, even for simultaneous calls, and logout ends its session', async () => {
    const kept: { token: string; expires: string }[] = [];
    const without = { baseUrl: api.url, devKey };
    const efb = createClient({
      ...without,
      staysSignedIn: true,
      token: { token: (await api.user()).token, expires: new Date(Date.now() + 3_600_000).toISOString() },
      onToken: (token) => kept.push(token),
    });
    await Promise.all([1, 2, 3].map(() => efb.call('refreshUserData')));
    await efb.call('refreshUserData');
    expect(kept).toHaveLength(1);
    const [token] = kept;
    expect(Date.parse(token?.expires ?? '') - Date.now()).toBeGreaterThan(29 * 86_400_000);
    await efb.logout();
    expect(await failure(efb.call('refreshUserData'))).toEqual(['AUTH_REQUIRED', 401]);
    // Refused by the service, not only forgotten here.
    const again = createClient({ ...without, staysSignedIn: true, token: token ?? null });
    expect(await failure(again.call('refreshUserData'))).toEqual(['AUTH_REQUIRED', 401]);
  });

  test('Two devices that change one section simultaneously lose nothing', async () => {
    const efb = clientOf();
    const { ofpId } = await efb.upload('ofpImport', { source: 'json' }, new Blob([planText({}, 'json=v2')]));
    const { promise: allHaveRead, resolve } = Promise.withResolvers<void>();
    const values = [1, 2, 3, 4, 5, 6];
    let merges = 0;
    const add = (value: number) =>
      efb.updateFlightData(
        { ofpId, dataKey: 'list' },
        async (current) => {
          merges += 1;
          if (merges === values.length) resolve();
          await allHaveRead;
          return [...((current?.payload as number[] | undefined) ?? []), value];
        },
        { conflicts: 20 },
      );
    await Promise.all(values.map(add));
    const { data } = await efb.call('flightDataGet', { ofpId, dataKey: 'list' });
    expect(new Set(data.payload as unknown as number[])).toEqual(new Set(values));
    expect(data.payload).toHaveLength(values.length);
    expect(merges).toBeGreaterThan(values.length);
    const stale = efb.call('flightDataSave', { ofpId, dataKey: 'list', payload: [], expectedVersion: 1 });
    const error = await stale.catch((reason: unknown) => reason);
    if (!isErrorOf(error, 'flightDataSave', 'VERSION_CONFLICT'))
      throw new Error('no conflict', { cause: error });
    expect([error.status, error.body.current.version]).toEqual([409, 6]);
    const always = efb.updateFlightData(
      { ofpId, dataKey: 'list' },
      async () => {
        await efb.updateFlightData({ ofpId, dataKey: 'list' }, () => []);
        return [0];
      },
      { conflicts: 1 },
    );
    expect(await failure(always)).toEqual(['VERSION_CONFLICT', 409]);
  });

  test('A section change whose answer is lost is made once, and a stored token is tried before a login', async () => {
    const tokens: string[] = [];
    let lost = 0;
    const efb = clientOf({
      // By a clock that is ahead it has expired.
      token: { token: user.token, expires: '2020-01-01T00:00:00Z' },
      onToken: ({ token }) => tokens.push(token),
      fetch: async (...given) => {
        const response = await fetch(...given);
        const body = given[1]?.body;
        const isSave = typeof body === 'string' && body.includes('flightDataSave');
        if (isSave && lost < 2) {
          lost += 1;
          throw new TypeError('the answer is lost');
        }
        return response;
      },
    });
    const { ofpId } = await efb.upload('ofpImport', { source: 'json' }, new Blob([planText({}, 'json=v2')]));
    const saved = await efb.updateFlightData({ ofpId, dataKey: 'once' }, (current) => [
      ...((current?.payload as number[] | undefined) ?? []),
      1,
    ]);
    expect([lost, saved.version, saved.payload, tokens]).toEqual([2, 1, [1], []]);
  });

  test('Changes by other devices are reported as they happen', async () => {
    const owner = await api.user();
    const [here, there] = [0, 1].map(() => clientOf({ credentials: () => credentialsOf(owner) }));
    const { cursor } = (await here?.call('changes', {})) ?? { cursor: '' };
    const told = here?.changes(cursor, { kinds: ['preferences'] }).next();
    await there?.call('saveUserSettings', { defaultUnit: 'IMPERIAL' });
    expect((await told)?.value).toMatchObject({ changes: [{ kind: 'preferences', deleted: false }] });
  });

  test('All entries of a list are fetched page by page', async () => {
    const owner = await api.user();
    const efb = clientOf({ credentials: () => credentialsOf(owner) });
    const names = ['one', 'two', 'three', 'four', 'five'];
    for (const name of names) {
      api.context.clock.advance(1);
      await efb.upload(
        'ofpImport',
        { source: 'json', name, ifChanged: false },
        new Blob([planText({ requestId: name, staticId: name }, 'json=v2')]),
      );
    }
    const found: (string | null)[] = [];
    for await (const { name } of efb.all('ofpList', { limit: 2 })) found.push(name);
    expect(found).toEqual(names.toReversed());
  });
});
