/** Recognisable secrets under all names and in all forms, and a search for them. */
import { randomBytes } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { capital, secretWords } from './secret-words.ts';

export const mark = 'cnry';
/** Marks harmless text, as proof that something was written. */
export const control = 'plainmark';
let count = 0;
/** Secrets created so far. */
export const canaries = (): number => count;
/** A new secret, recognisable by its marker. */
export const canary = (): string => `${mark}${(count += 1)}${randomBytes(6).toString('hex')}`;

/** Secrets recognised by their form. */
export const shapes: readonly (() => string)[] = [
  () => `dk_${canary()}`,
  () => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.${canary()}`,
  () => `API-CNRY-${(count += 1).toString(36).padStart(4, '0').toUpperCase()}-AB12`,
  () => `Bearer ${canary()}`,
  () => `postgres://efb:${canary()}@db.example/efb`,
  () => `$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$${canary()}`,
];

const words = [...secretWords, ['user', 'password2'], ['x', 'api', 'key'], ['old', 'refresh', 'token']];
type Spelling = (words: readonly string[]) => string;
const inHeaders: Spelling[] = [
  (parts) => parts.join('_'),
  (parts) => parts.join('-'),
  (parts) => parts.join('.'),
  (parts) => parts.join('_').toUpperCase(),
  (parts) => parts.map((part, i) => (i === 0 ? part : capital(part))).join(''),
  (parts) => parts.map(capital).join('-'),
];
const anywhere: Spelling[] = [
  ...inHeaders,
  (parts) => parts.join(' '),
  (parts) => parts.map(capital).join(' '),
  (parts) => parts.join('-').toUpperCase(),
  (parts) => parts.map(capital).join(''),
];
const namesOf = (spellings: Spelling[]) => [
  ...new Set(words.flatMap((parts) => spellings.map((spell) => spell(parts)))),
];
export const secretNames: readonly string[] = namesOf(anywhere);
export const secretHeaders: readonly string[] = namesOf(inHeaders);
/** Real credentials: an invalid one makes the call fail. */
export const isCredential = (name: string): boolean => name === 'dev_key' || name === 'devKey';

/** Every name, each with a different secret. */
export const secrets = (): Record<string, string> =>
  Object.fromEntries(secretNames.map((name) => [name, canary()]));
export const shaped = (): Record<string, unknown> => ({
  remarks: shapes.map((shape) => shape()),
  note: `${control}: ${shapes.map((shape) => shape()).join(', ')}`,
  [shapes[0]?.() ?? '']: true,
  link: `https://efb.example/a?page=1&${new URLSearchParams(secrets()).toString()}`,
});
const asText = (value: unknown, layers: number): string =>
  layers === 0 ? JSON.stringify(value) : JSON.stringify({ layer: layers, inner: asText(value, layers - 1) });
/** Added to the data of any call. */
export const burden = (): Record<string, unknown> => ({
  ...secrets(),
  ...shaped(),
  list: [[secrets()], { deep: { deeper: secrets() } }],
  tokens: [canary(), { value: canary() }],
  credentials: { user: canary(), values: [canary()] },
  text: asText({ ...secrets(), ...shaped() }, 0),
  texts: [asText(secrets(), 1), asText(secrets(), 2), asText(secrets(), 3)],
});

/** Rows that contain one of the texts, as text or bytes, shortened, with the name of their table. */
export const tablesWith = async (
  databaseUrl: string,
  texts: readonly string[],
): Promise<{ found: Record<string, string>; tables: number }> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(`
    SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`);
  const wanted = texts.flatMap((text) => [text.toLowerCase(), Buffer.from(text).toString('hex')]);
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string; text: string }>(
      // A PIN's digits also occur by chance in encrypted bytes, which are shown in hexadecimal.
      `SELECT t::text AS row, w AS text FROM ${name} AS t, unnest($1::text[]) w WHERE strpos(lower(t::text), w) > 0
         AND (w !~ '^[0-9a-f]{1,8}$' OR lower(t::text) ~ ('(?<![0-9a-f])' || w || '(?![0-9a-f])'))`,
      [wanted],
    );
    for (const { row, text } of rows) {
      const at = row.toLowerCase().indexOf(text);
      found[name] = row.slice(Math.max(0, at - 200), at + 60);
    }
  }
  await client.end();
  return { found, tables: tables.length };
};

/** Files below this folder that contain the marker, and the number of files. */
export const filesWith = async (folder: string): Promise<{ found: string[]; files: number }> => {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const found: string[] = [];
  for (const { parentPath, name } of files) {
    const content = (await readFile(join(parentPath, name))).toString('latin1').toLowerCase();
    if (content.includes(mark)) found.push(name);
  }
  return { found, files: files.length };
};
