/** Documents: decision records are numbered and structured alike, and links resolve. */
import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const records = readdirSync(join(root, 'docs/adr'))
  .filter((file) => file !== 'README.md')
  .sort();
const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'libs/perf/README.md',
  'clients/typescript/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
  ...readdirSync(join(root, 'docs/guide')).map((file) => `docs/guide/${file}`),
  'docs/adr/README.md',
  ...records.map((file) => `docs/adr/${file}`),
];

/** Anchor of a heading, as GitHub generates it. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (file: string): string[] =>
  [...read(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const withoutCode = (text: string): string => text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');

/** Targets of links in a document that do not exist: missing files and headings. */
const brokenLinksOf = (file: string): string[] =>
  [...withoutCode(read(file)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => {
      // An absolute path is one of the service; the test of the guide follows it.
      if (/^(?:[a-z]+:|\/)/.test(target)) return false;
      const [path = '', anchor] = target.split('#');
      const linked = path === '' ? file : join(dirname(file), path);
      if (!existsSync(join(root, linked))) return true;
      return anchor !== undefined && !anchorsOf(linked).includes(anchor);
    });

const numberOf = (file: string): number => Number(file.slice(0, 4));

test('Each decision record has its own number, in the file name and in the title', () => {
  expect(new Set(records.map(numberOf)).size).toBe(records.length);
  for (const file of records) {
    expect(file).toMatch(/^\d{4}-[a-z0-9]+(?:-[a-z0-9]+)*\.md$/);
    expect(read(`docs/adr/${file}`).split('\n')[0]).toMatch(new RegExp(`^# ${numberOf(file)}\\. \\S`));
  }
});

test('Decision records consist of context, decision and consequence, in this order', () => {
  for (const file of records) {
    const [, ...paragraphs] = read(`docs/adr/${file}`).trimEnd().split('\n\n');
    const labels = paragraphs.map((text) => /^(Context|Decision|Consequence): /.exec(text)?.[1]);
    expect([file, labels]).toEqual([file, ['Context', 'Decision', 'Consequence']]);
  }
});

test('References to decision records, in documents and in code, name an existing one', () => {
  const code = globSync('{apps,libs,test,tools,clients/typescript/src}/**/*.ts', { cwd: root });
  const named = [...documents, ...code].flatMap((file) =>
    [...read(file).matchAll(/\bADR (\d+)/g)].map(([, number]) => ({ file, number: Number(number) })),
  );
  const known = new Set(records.map(numberOf));
  expect(named.filter(({ number }) => !known.has(number))).toEqual([]);
  expect(named.length).toBeGreaterThan(0);
});

test('The development page names each bench and each campaign, and no other', () => {
  const text = read('docs/development.md');
  const benches = globSync('*.ts', { cwd: join(root, 'test/bench') }).filter((file) => file !== 'main.ts');
  const [, table = ''] = text.split('## Benches');
  const named = [...table.matchAll(/^\|(.*?)\|/gm)]
    .slice(2)
    .flatMap(([, cell = '']) => [...cell.matchAll(/`([a-z][a-z-]*)`/g)]);
  expect(named.map(([, name]) => `${name}.ts`).toSorted()).toEqual(benches.toSorted());
  const campaigns = readdirSync(join(root, 'test/campaigns'));
  expect(campaigns.filter((name) => !text.includes(`test/campaigns/${name}/main.ts`))).toEqual([]);
});

test('Every relative link leads to an existing file and heading', () => {
  const broken = documents.flatMap((file) => brokenLinksOf(file).map((target) => `${file}: ${target}`));
  expect(broken).toEqual([]);
  expect(documents.filter((file) => /\]\((?![a-z]+:)/.test(read(file))).length).toBeGreaterThan(2);
});

test('Folders and files named in documents exist', () => {
  const tops = ['.ci', 'apps', 'clients', 'db', 'deploy', 'docs', 'libs', 'test', 'tools'];
  const files = globSync(`{${tops.join(',')}}/**/*.{cjs,sql,ts}`, {
    cwd: root,
    exclude: ['**/node_modules'],
  });
  const isThere = (path: string): boolean =>
    tops.includes(path.split('/')[0] ?? '')
      ? existsSync(join(root, path))
      : files.some((file) => file.endsWith(`/${path}`));
  // `x.ts` stands for any file.
  const paths = new RegExp(
    `\`((?:${tops.join('|').replaceAll('.', '\\.')})/[\\w./-]+|(?!(?:\\./)?x\\.)[\\w./-]+\\.(?:cjs|sql|ts))\``,
    'g',
  );
  const missing = documents.flatMap((file) =>
    [...read(file).matchAll(paths)]
      .filter(([, path = '']) => !isThere(path))
      .map(([, path = '']) => `${file}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test('Scripts and benches named in documents exist', () => {
  const scripts = ['package.json', 'clients/typescript/package.json'].flatMap((file) =>
    Object.keys(JSON.parse(read(file)).scripts),
  );
  const current = documents.filter((file) => file !== 'CHANGELOG.md');
  const unknown = current.flatMap((file) =>
    [...read(file).matchAll(/npm run (?:-s )?([a-z][a-z:]*)(?: -- ([a-z][a-z-]*))?/g)]
      .filter(([, script = '', bench]) =>
        script === 'bench' && bench !== undefined
          ? !existsSync(join(root, `test/bench/${bench}.ts`))
          : !scripts.includes(script),
      )
      .map(([text]) => `${file}: ${text}`),
  );
  expect(unknown).toEqual([]);
});
