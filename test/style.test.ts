/** Every rule of docs/style.md that lint enforces is verified by a file that breaks it. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { broken, sound } from './lint/cases.ts';
import { lintOf } from './support/lint-of.ts';
import type { Diagnostic } from './support/lint-of.ts';

const root = join(import.meta.dirname, '..');
/** Same kind of path, but one for each case. */
const ownPath = (path: string, i: number): string =>
  path.includes('/x.') ? path.replace('/x.', `/x${i}.`) : path.replace(/(?=[^/]+$)/, `case-${i}/`);
const printedRule = (rule: string): string =>
  rule.includes('/') ? rule.replace(/\/(.*)$/, '($1)') : `eslint(${rule})`;

const brokenFiles = broken.map(([, path, text], i) => [ownPath(path, i), text] as const);
const soundFiles = sound.map(([path, text], i) => [ownPath(path, i + broken.length), text] as const);
let linted: Promise<Diagnostic[]> | undefined;
const found = async (path: string): Promise<string[]> => {
  linted ??= lintOf(Object.fromEntries([...brokenFiles, ...soundFiles]), { typeAware: true });
  return [...new Set((await linted).filter(({ file }) => file === path).map(({ rule }) => rule))];
};

interface Config {
  rules: Record<string, string | [string, ...unknown[]]>;
  overrides: Pick<Config, 'rules'>[];
}

describe('lint', () => {
  test.each(broken.map(([rule, path, text], i) => ({ rule, path, text, i })))(
    'A file that breaks $rule is refused ($i: $path)',
    async ({ rule, i }) => {
      expect(await found(brokenFiles[i]?.[0] ?? '')).toEqual([printedRule(rule)]);
    },
  );

  test.each(soundFiles)('A file that follows the style passes: %s', async (path) => {
    expect(await found(path)).toEqual([]);
  });

  test('Every rule named in docs/style.md is an error and is verified here', () => {
    const config = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as Config;
    const settings = [config, ...config.overrides].map(({ rules }) => rules);
    const levelOf = (rule: string) => settings.map((rules) => [rules[rule]].flat()[0]).find(Boolean);
    const named = [
      ...readFileSync(join(root, 'docs/style.md'), 'utf8').matchAll(
        /`((?:\w+\/)?[a-z]+(?:-[a-z]+)*)` \(lint\)/g,
      ),
    ];
    const rules = new Set(named.map((match) => match[1] ?? ''));
    expect(rules.size).toBeGreaterThan(20);
    for (const rule of rules) expect([rule, levelOf(rule)]).toEqual([rule, 'error']);
    expect([...rules].filter((rule) => !broken.some(([proved]) => proved === rule))).toEqual([]);
    expect(broken.map(([rule]) => rule).filter((rule) => !rules.has(rule))).toEqual([]);
  });
});

const filesUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

test('Every exported schema of the domain ends in Schema, however it is built', async () => {
  const files = filesUnder('libs/domain').filter((file) => !file.endsWith('.test.ts'));
  const wrong: string[] = [];
  let count = 0;
  for (const file of files) {
    const module = (await import(join(root, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module)) {
      if (!(value instanceof z.ZodType)) continue;
      count += 1;
      if (!/^[a-z]\w*Schema$/.test(name)) wrong.push(`${file}: ${name}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(40);
});

describe('copied code', () => {
  const longest = 30;

  /** Runs of equal lines in two files, as `a and b: first line`; blank lines and indentation do not count. */
  const copiesIn = (texts: Readonly<Record<string, string>>): string[] => {
    const seen = new Map<string, string>();
    const copies = new Set<string>();
    for (const [file, text] of Object.entries(texts)) {
      const lines = text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
      for (let i = 0; i + longest <= lines.length; i += 1) {
        const run = lines.slice(i, i + longest).join('\n');
        const other = seen.get(run);
        if (other !== undefined && other !== file) copies.add(`${other} and ${file}`);
        else seen.set(run, file);
      }
    }
    return [...copies];
  };

  test('A copied file is detected', () => {
    const text = Array.from({ length: 40 }, (_, i) => `line(${i});`).join('\n');
    expect(
      copiesIn({ 'a.ts': `first();\n${text}`, 'b.ts': `second();\n\n${text.replaceAll('line', '  line')}` }),
    ).toEqual(['a.ts and b.ts']);
    expect(copiesIn({ 'a.ts': text, 'b.ts': text.replaceAll('line(1', 'row(1') })).toEqual([]);
  });

  test('No two files share 30 lines', () => {
    const files = ['apps', 'libs', 'tools', 'test'].flatMap(filesUnder);
    const texts = Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
    expect(copiesIn(texts)).toEqual([]);
  });
});
