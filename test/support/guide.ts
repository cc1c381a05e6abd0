/**
 * Reads the calls and answers shown on a page of the guide. In its Markdown, a block `sh` has commands, and the block `json`
 * after it shows the last command's answer, abridged (`json 409`: with this status instead of 200). A block `python run` or
 * `ts run` is a program that prints the answer shown before it. An assignment like `TOKEN='eyJ…'` gets the real value of the
 * field that the last answer shows as `eyJ…`.
 */
import MarkdownIt from 'markdown-it';

const kinds = ['sh', 'json', 'python', 'ts'] as const;
type Kind = (typeof kinds)[number];

export interface Block {
  kind: Kind;
  /** Status of the answer. */
  status: number;
  text: string;
  /** First and last line of the content in the source, counted from 0; `to` is not part of it. */
  from: number;
  to: number;
}

export const blocksOf = (source: string): Block[] =>
  new MarkdownIt().parse(source, {}).flatMap(({ type, info, content, map }) => {
    const [name, status = '200'] = info.split(' ');
    const kind = kinds.find((each) => each === name);
    if (type !== 'fence' || kind === undefined || !map) return [];
    if ((kind === 'python' || kind === 'ts') && status !== 'run') return [];
    return [{ kind, status: Number(status), text: content, from: map[0] + 1, to: map[1] - 1 }];
  });

export type Variables = Map<string, string>;

const variable = (variables: Variables, name: string): string => {
  const value = variables.get(name);
  if (value === undefined) throw new Error(`$${name} is used before it is set`);
  return value;
};

const token = /\s*\\\n\s*|\n|[ \t]+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\$(\w+)|[^\s'"$\\]+/gy;

/** Commands of a block as words, with variables replaced as a shell does: not between single quotes. */
export const commandsOf = (block: string, variables: Variables): string[][] => {
  const commands: string[][] = [[]];
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  let at = 0;
  for (const match of block.matchAll(token)) {
    if (match.index !== at) throw new Error(`cannot read ${block.slice(at, at + 40)}`);
    at += match[0].length;
    const [text, single, double, name] = match;
    if (text === '\n') {
      endWord();
      commands.push([]);
    } else if (/^\s/.test(text)) endWord();
    else {
      const filled = double?.replaceAll(/\$(\w+)/g, (_, inner: string) => variable(variables, inner));
      word = (word ?? '') + (single ?? filled ?? (name === undefined ? text : variable(variables, name)));
    }
  }
  if (at !== block.length) throw new Error(`cannot read ${block.slice(at, at + 40)}`);
  endWord();
  return commands.filter((words) => words.length > 0);
};

export interface Call {
  url: string;
  init: RequestInit;
}

/** The request of a `curl` command; throws on an option that it does not know. */
export const callOf = ([, ...words]: readonly string[]): Call => {
  const headers: Record<string, string> = {};
  const call: Call = { url: '', init: { headers } };
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    const next = (): string => words[(i += 1)] ?? '';
    if (word === '-H') {
      const [name = '', ...rest] = next().split(': ');
      headers[name] = rest.join(': ');
    } else if (word === '-d') Object.assign(call.init, { method: 'POST', body: next() });
    else if (word === '-X') call.init.method = next();
    else if (!word.startsWith('-')) call.url = word;
    else if (word !== '-s') throw new Error(`curl ${word}`);
  }
  return call;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Paths where a shown answer differs in shape from the real one: a missing field, a value of another type. */
export const differences = (shown: unknown, real: unknown, path = ''): string[] => {
  if (kindOf(shown) !== kindOf(real)) return [`${path}: ${kindOf(real)}, shown as ${kindOf(shown)}`];
  if (Array.isArray(shown)) {
    const entries = real as unknown[];
    if (entries.length < shown.length) return [`${path}: ${entries.length} entries, ${shown.length} shown`];
    return shown.flatMap((entry, i) => differences(entry, entries[i], `${path}[${i}]`));
  }
  if (!isRecord(shown)) return [];
  return Object.entries(shown).flatMap(([name, value]) =>
    differences(value, (real as Record<string, unknown>)[name], `${path}.${name}`),
  );
};

/** The real value in the place where `shown` has this text. */
export const valueAt = (shown: unknown, real: unknown, text: string): string | undefined => {
  if (shown === text) return String(real);
  if (Array.isArray(shown))
    return shown
      .map((entry, i) => valueAt(entry, (real as unknown[])[i], text))
      .find((found) => found !== undefined);
  if (!isRecord(shown)) return undefined;
  return Object.entries(shown)
    .map(([name, value]) => valueAt(value, (real as Record<string, unknown>)[name], text))
    .find((found) => found !== undefined);
};

/** The shown answer with values of the real one; shortened texts stay, `{}` becomes the complete object. */
export const renewed = (shown: unknown, real: unknown): unknown => {
  if (typeof shown === 'string' && shown.includes('…')) return shown;
  if (Array.isArray(shown)) return shown.map((entry, i) => renewed(entry, (real as unknown[])[i]));
  if (!isRecord(shown) || Object.keys(shown).length === 0) return real;
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [
      name,
      renewed(value, (real as Record<string, unknown>)[name]),
    ]),
  );
};

const widest = 100;

/** JSON with short objects on one line. */
export const compactJson = (value: unknown, indent = ''): string => {
  const flat = JSON.stringify(value, null, 1)?.replaceAll(/\n\s*/g, ' ') ?? 'null';
  if (flat.length + indent.length <= widest || typeof value !== 'object' || value === null) return flat;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((entry) => compactJson(entry, inner))
    : Object.entries(value).map(([name, entry]) => `${JSON.stringify(name)}: ${compactJson(entry, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${indent}${close}`;
};
