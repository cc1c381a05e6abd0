/** Generators that client developers use, on the document of the running service: strict types, and live calls. */
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testFolder } from '#test/harness.ts';
import { clientScene } from '#test/support/client-scene.ts';
import type { ClientScene } from '#test/support/client-scene.ts';
import { sampled } from '#test/support/deep.ts';
import { hasInterop, interopModules, interopNote } from '#test/support/interop.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const fileOf = (path: string) => join(interopModules, path);

const request = `{ query: 'performance' as const, data: { requestType: 'LANDING' as const, landingMode: 'inflight' as const,
  aircraft: { file: '737-800-7B26' }, airport: 'KJFK', runway: '04L', weight: { landingWeight: 60_000 } } }`;

/** How an app calls each client; `out` checks that the types are not any. */
const out = `
type IsAny<T> = 0 extends 1 & T ? true : false;
const print = <A, B, C, D>(text: A & (IsAny<A> extends true ? never : unknown), label: B & (IsAny<B> extends true ? never : unknown),
  listCode: C & (IsAny<C> extends true ? never : unknown), code: D & (IsAny<D> extends true ? never : unknown)): void =>
  console.log(JSON.stringify([text, label, listCode, code]));
`;

interface Generator {
  args: (folder: string) => string[];
  files?: (url: string) => Record<string, string>;
  app: (url: string, headers: string) => string;
  /** A field that the query does not have. */
  wrong: string;
}

const generators: Record<string, Generator> = {
  'openapi-typescript': {
    wrong: `import type { paths } from './schema.js';\nexport const body: paths['/api#weather']['post']['requestBody']['content']['application/json'] = { query: 'weather', data: { iaco: 'KJFK' } };`,
    args: (folder) => [
      fileOf('openapi-typescript/bin/cli.js'),
      join(folder, 'openapi.json'),
      '-o',
      join(folder, 'openapi-typescript/schema.ts'),
      // A field with a default may be absent from a request.
      '--default-non-nullable=false',
    ],
    app: (url, headers) => `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';
const client = createClient<paths>({ baseUrl: '${url}', headers: ${headers} });
const weather = await client.POST('/api#weather', { body: { query: 'weather', data: { icao: 'KJFK' } } });
const landing = await client.POST('/api#performance', { body: ${request} });
const list = await client.POST('/api#weather', { body: { query: 'weather', data: { icao: 'K!' } } });
const none = await client.POST('/api#ofpGet', { body: { query: 'ofpGet', data: { ofpId: 'OFP-NONE' } } });
print(weather.data?.metar?.text, landing.data?.subCalculation === 'LANDING_INFLIGHT' ? landing.data.performance?.autobrakeLandingDist?.[0]?.label : null,
  list.error?.Error[0]?.code, none.error?.error.code);`,
  },
  'hey-api': {
    wrong: `import { weather } from './generated/index.js';\nawait weather({ body: { query: 'weather', data: { iaco: 'KJFK' } } });`,
    args: (folder) => [
      fileOf('@hey-api/openapi-ts/bin/run.js'),
      '-i',
      join(folder, 'openapi.json'),
      '-o',
      join(folder, 'hey-api/generated'),
    ],
    app: (url, headers) => `
import { client } from './generated/client.gen.js';
import { ofpGet, performance_, weather } from './generated/index.js';
client.setConfig({ baseUrl: '${url}', headers: ${headers} });
const metar = await weather({ body: { query: 'weather', data: { icao: 'KJFK' } } });
const landing = await performance_({ body: ${request} });
const list = await weather({ body: { query: 'weather', data: { icao: 'K!' } } });
const none = await ofpGet({ body: { query: 'ofpGet', data: { ofpId: 'OFP-NONE' } } });
print(metar.data?.metar?.text, landing.data?.subCalculation === 'LANDING_INFLIGHT' ? landing.data.performance?.autobrakeLandingDist?.[0]?.label : null,
  list.error?.Error[0]?.code, none.error?.error.code);`,
  },
  orval: {
    wrong: `import { weather } from './generated.js';\nawait weather({ query: 'weather', data: { iaco: 'KJFK' } });`,
    args: (folder) => [
      fileOf('orval/dist/bin/orval.mjs'),
      '--config',
      join(folder, 'orval/orval.config.mjs'),
    ],
    files: (url) => ({
      'orval.config.mjs': `export default { efb: { input: '../openapi.json',
        output: { target: 'generated.ts', client: 'fetch', baseUrl: '${url}' } } };`,
    }),
    app: (_, headers) => `
import { ofpGet, performance, weather } from './generated.js';
const options = { headers: ${headers} };
const metar = await weather({ query: 'weather', data: { icao: 'KJFK' } }, options);
const landing = await performance(${request}, options);
const list = await weather({ query: 'weather', data: { icao: 'K!' } }, options);
const none = await ofpGet({ query: 'ofpGet', data: { ofpId: 'OFP-NONE' } }, options);
print(metar.status === 200 ? metar.data.metar?.text : null,
  landing.status === 200 && landing.data.subCalculation === 'LANDING_INFLIGHT' ? landing.data.performance?.autobrakeLandingDist?.[0]?.label : null,
  list.status === 400 ? list.data.Error[0]?.code : null, none.status === 404 ? none.data.error.code : null);`,
  },
};

/** One in `npm test`: all read the same document. */
const tried = sampled(Object.keys(generators), 3);

describe.skipIf(!hasInterop)(`generated clients${interopNote}`, () => {
  let scene: ClientScene;
  let folder: string;
  let messages: string;

  beforeAll(async () => {
    scene = await clientScene();
    folder = await testFolder();
    const { api, user, devKey } = scene;
    await writeFile(join(folder, 'openapi.json'), await (await api.fetch('/api/openapi.json')).text());
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await mkdir(join(folder, 'node_modules'));
    await symlink(fileOf('openapi-fetch'), join(folder, 'node_modules/openapi-fetch'));
    const headers = JSON.stringify({ authorization: `Bearer ${user.token}`, 'x-dev-key': devKey });
    await Promise.all(
      tried.map(async (name) => {
        const { args, files, app, wrong } = generators[name] as Generator;
        await mkdir(join(folder, name), { recursive: true });
        const texts = {
          ...files?.(api.url),
          'app.ts': `${out}${app(api.url, headers)}\nexport {};\n`,
          'wrong.ts': wrong,
        };
        for (const [file, text] of Object.entries(texts)) await writeFile(join(folder, name, file), text);
        await run(process.execPath, args(folder), { cwd: join(folder, name) });
      }),
    );
    const options = {
      strict: true,
      module: 'nodenext',
      target: 'esnext',
      lib: ['esnext', 'dom', 'dom.iterable'],
      types: [],
      skipLibCheck: true,
      outDir: 'built',
      rootDir: '.',
    };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: options,
        include: tried.map((name) => `${name}/**/*.ts`),
      }),
    );
    messages = await run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
  });
  afterAll(() => scene.api.close());

  test.for(tried)(
    'The client of %s compiles strictly, and its calls have typed answers and errors',
    async (name) => {
      const lines = messages.split('\n').filter((line) => line.startsWith(`${name}/`));
      expect(lines.filter((line) => !line.startsWith(`${name}/wrong.ts`))).toEqual([]);
      expect(lines.join('\n')).toContain("'iaco' does not exist");
      const { stdout } = await run(process.execPath, [join(folder, 'built', name, 'app.js')], {
        cwd: folder,
      });
      expect(JSON.parse(stdout)).toEqual([
        expect.stringMatching(/^METAR KJFK /),
        'MAX MANUAL',
        'INVALID_ICAO',
        'OFP_NOT_FOUND',
      ]);
    },
  );
});
