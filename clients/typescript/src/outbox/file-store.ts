import { entriesOf } from './store.ts';
import type { Store } from './store.ts';

interface OpenFile {
  appendFile: (text: string) => Promise<unknown>;
  datasync: () => Promise<void>;
  truncate: (bytes: number) => Promise<void>;
  close: () => Promise<void>;
}

/** The subset of a file system that is used: `node:fs/promises` has it. */
export interface Files {
  readFile: (path: string, encoding: 'utf8') => Promise<string>;
  open: (path: string, flags: 'a' | 'w') => Promise<OpenFile>;
  rename: (from: string, to: string) => Promise<void>;
}

/** One write: keys with their values; keys without a value are removed. */
type Line = [key: string, value?: unknown][];

/** The file is rewritten when it has this many times the remaining entries, and at least this many. */
const wasteful = { times: 4, least: 1_000 };

const asText = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array
    ? { $bytes: btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join('')) }
    : value;

const fromText = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$bytes' in value && typeof value.$bytes === 'string'
    ? Uint8Array.from(atob(value.$bytes), (byte) => byte.charCodeAt(0))
    : value;

const lineOf = (line: Line): string => `${JSON.stringify(line, asText)}\n`;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

const textOf = async (files: Files, path: string): Promise<string> => {
  try {
    return await files.readFile(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return '';
    throw error;
  }
};

/** A file with one line per write: a line without its end was cut off by a kill before its write resolved. */
export const fileStore = async (
  path: string,
  files: Files,
): Promise<Store & { close: () => Promise<void> }> => {
  const text = await textOf(files, path);
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const values = new Map<string, unknown>();
  let lines = 0;
  const apply = (line: Line): void => {
    for (const [key, ...value] of line)
      if (value.length === 0) values.delete(key);
      else values.set(key, value[0]);
    lines += line.length;
  };
  for (const line of whole.split('\n').slice(0, -1)) apply(JSON.parse(line, fromText) as Line);
  let file = await files.open(path, 'a');
  let size = bytesOf(whole);
  if (whole !== text) await file.truncate(size);

  const rewrite = async (): Promise<void> => {
    const next = await files.open(`${path}.new`, 'w');
    const all = lineOf([...values]);
    await next.appendFile(all);
    await next.datasync();
    await next.close();
    await files.rename(`${path}.new`, path);
    await file.close();
    file = await files.open(path, 'a');
    size = bytesOf(all);
    lines = values.size;
  };
  const append = async (line: Line): Promise<void> => {
    const written = lineOf(line);
    try {
      await file.appendFile(written);
      await file.datasync();
    } catch (error) {
      // On a full disk, a partial write must not become the start of the next line.
      await file.truncate(size);
      throw error;
    }
    size += bytesOf(written);
    // Copied, so that later changes to the caller's objects do not appear here.
    apply(JSON.parse(written, fromText) as Line);
    if (lines > wasteful.least && lines > values.size * wasteful.times) await rewrite();
  };
  let turn: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };
  return {
    entries: (prefix) => Promise.resolve(entriesOf(values, prefix)),
    write: (changes) => {
      const line = Object.entries(changes).map(([key, value]): [string, unknown?] =>
        value === undefined ? [key] : [key, value],
      );
      return inTurn(() => append(line));
    },
    close: () => inTurn(() => file.close()),
  };
};
