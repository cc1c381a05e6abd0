/** The wording of documents, comments, messages and test titles: that of technical English. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { proseOf } from '#test/support/prose.ts';

const root = join(import.meta.dirname, '..');

/** Expression → what to write instead. Capitals only (NOTAM, METAR, SQL) are not English. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/\b[Tt](?:old|ells?|elling)\b/, 'report, say, notify, distinguish'],
  [/\b[Ss](?:tands?|tood|tanding)\b(?! water|-alone)/, 'is, appears, means'],
  [/\b[Dd](?:ies?|ied|ying)\b/, 'ends, crashes, is revoked'],
  [/\b[Dd]ead\b(?![\s*/]+letter)/, 'ended, lost'],
  [/\b[Ll](?:ies|ying)\b|\blie\b/, 'is, are'],
  [/\b[Hh]ouses?\b/, 'system, code base'],
  [/\b[Mm]ail address/, 'email address'],
  [/\b(?:[Hh]is|[Hh]e|[Hh]im(?:self)?|[Hh]er|[Ss]he)\b/, 'they, their'],
  [/\b(?:[Nn]o|[Ss]ome|[Aa]ny|[Ee]very)body\b(?!@)/, 'no one, someone; better the role'],
  [/\bby hand\b/, 'manually, from the command line'],
  [/\bto be true of\b/, 'applies to'],
  [/\b[Ss]pared\b/, 'avoided, skipped'],
  [/\bof (?:one's|its|their|his|our|your) own\b/, 'separate, dedicated'],
  [/\bso many\b(?! that)/, 'a number of, at most'],
  [/\bas (?:it|they) (?:was|were|should be)\b/, 'unchanged'],
  [/\bby then\b/, 'until then, in the meantime'],
  [/\b[Aa]sk(?:s|ed|ing)? for\b/, 'request, require, enqueue'],
  [/\bfor ever\b/, 'indefinitely'],
  [/\bany more\b/, 'no longer'],
  [/\b(?:[Aa]new|[Aa]fresh)\b/, 'again'],
  [/\b[Bb]eside\b/, 'next to, besides'],
  [/(?<![Tt]here )\bis no (?!longer\b|more\b|such\b|less\b|later\b|better\b)/, 'is not a'],
  [/^(?:Makes|Gives) (?:an?|the|one|its|all|every)\b/, 'Creates, Returns'],
];

const filesUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|js|cjs|md)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

const files = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'clients/typescript/README.md',
  ...['apps', 'libs', 'clients/typescript/src', 'test', 'docs'].flatMap(filesUnder),
];

/** These two files contain the expressions. */
const exempt = new Set(['test/english.test.ts', 'docs/style.md']);

const isSql = (text: string): boolean => /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b/.test(text);

/** Quoted names (`dead`, 'nobody') are not prose. */
const withoutNames = (text: string): string => text.replace(/`\w+`|(?<!\w)'\w+'/g, '');

const foundIn = (text: string): string[] => (isSql(text) ? [] : found(withoutNames(text)));

const found = (text: string): string[] =>
  rules.flatMap(([expression, instead]) => {
    const match = expression.exec(text);
    return match ? [`"${match[0].trim()}" (${instead})`] : [];
  });

test('Documents, comments, messages and titles avoid the expressions on the list', () => {
  const problems: string[] = [];
  for (const file of files.filter((name) => !exempt.has(name))) {
    const source = readFileSync(join(root, file), 'utf8');
    const parts = file.endsWith('.md')
      ? source.split('\n').map((text, i) => ({ line: i + 1, text }))
      : proseOf(source);
    for (const { line, text } of parts)
      for (const problem of foundIn(text)) problems.push(`${file}:${line} ${problem}`);
  }
  expect(problems).toEqual([]);
  expect(files.length).toBeGreaterThan(500);
});

test('Every expression on the list is found, in comments, texts and titles', () => {
  const source = [
    '/** Tells what stands there. */',
    "const message = 'Mail address of his own';",
    '// The worker died',
    '// by hand',
    'const told = /stands for/;',
    "test('A row lies here', () => `the ${house} is spared`);",
  ].join('\n');
  expect(proseOf(source).map(({ line, text }) => [line, foundIn(text).length])).toEqual([
    [1, 2],
    [2, 3],
    [3, 1],
    [4, 1],
    [6, 1],
    [6, 2],
  ]);
});

test('Names, wire names, reports and correct uses are not found', () => {
  for (const text of [
    'a dead letter is kept',
    'standing water',
    'There is no airport',
    'as `nobody` or nobody@example.org',
    "SELECT 'dead' AS dead",
    'RWY 09 STANDS CLSD BY HAND',
    'so many that it fails',
  ])
    expect([text, foundIn(text)]).toEqual([text, []]);
  expect(proseOf("const house = { told: 'stand', lie: 1 };")).toEqual([]);
});
