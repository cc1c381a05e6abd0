/** Data made to block the thread: long texts for every field, very many names and values, deep nesting. */
import { z } from 'zod';
import performanceQuery from '#api/queries/performance/performance.ts';
import weatherQuery from '#api/queries/weather/weather.ts';
import windAloftQuery from '#api/queries/winds/windAloft.ts';
import { keepAlive, outcomes, send } from '#test/support/abuse/clients.ts';
import type { Sent } from '#test/support/abuse/clients.ts';
import { probeDuring } from '#test/support/abuse/probe.ts';
import { below } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { probeText } from './target.ts';
import type { Scenario, Target } from './target.ts';

type Json = Record<string, unknown>;
type Path = (string | number)[];

/** As much as the smallest body limit allows. */
const textLength = 240_000;
/** Repeated units, ended with text that no pattern matches. */
const pieces = [
  'a',
  'A1',
  '0',
  ' ',
  '\t',
  '-',
  '/',
  '.',
  '00:',
  '2026-',
  'x ',
  'é',
  '\u0130',
  '\u{1F600}',
  '(',
  '+-',
];

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Paths of every text in a JSON schema; the first item represents the others of a list. */
const textPaths = (schema: unknown, path: Path = []): Path[] => {
  if (!isRecord(schema)) return [];
  const { type, anyOf, items, properties } = schema;
  return [
    ...(type === 'string' ? [path] : []),
    ...(Array.isArray(anyOf) ? anyOf.flatMap((each) => textPaths(each, path)) : []),
    ...textPaths(items, [...path, 0]),
    ...(isRecord(properties)
      ? Object.entries(properties).flatMap(([name, each]) => textPaths(each, [...path, name]))
      : []),
  ];
};

const withText = (data: unknown, [head, ...rest]: Path, text: string): unknown => {
  if (head === undefined) return text;
  if (typeof head === 'number') return [withText(Array.isArray(data) ? data[0] : undefined, rest, text)];
  const fields = isRecord(data) ? data : {};
  return { ...fields, [head]: withText(fields[head], rest, text) };
};

const operations = [performanceQuery, weatherQuery, windAloftQuery];

const hostileTexts = (): string[] =>
  operations.flatMap(({ name, input, example }) => {
    const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
    const paths = [...new Set(textPaths(schema).map((path) => JSON.stringify(path)))];
    return paths.flatMap((path) =>
      pieces.map((piece) => {
        const pieceBytes = Buffer.byteLength(JSON.stringify(piece)) - 2;
        const text = `${piece.repeat(textLength / pieceBytes)}!`;
        return JSON.stringify({ query: name, data: withText(example, JSON.parse(path) as Path, text) });
      }),
    );
  });

/** Bodies of this size that cost most to read or validate. */
const costlyShapes = (bytes: number): string[] => {
  const list = (piece: string) => `[${`${piece},`.repeat(bytes / (piece.length + 1))}0]`;
  const nested = (open: string, close: string) =>
    `${open.repeat(bytes / (open.length + close.length))}0${close.repeat(bytes / (open.length + close.length))}`;
  const named = (prefix: string) => {
    const parts: string[] = [];
    for (let i = 0, length = 0; length < bytes; i += 1)
      length += (parts[parts.length] = `"${prefix}${i}":1`).length + 1;
    return `{${parts.join(',')}}`;
  };
  const { example } = performanceQuery;
  const data = [
    list('1'),
    list('{}'),
    list('[]'),
    list('{"a":1}'),
    nested('[', ']'),
    nested('{"a":', '}'),
    named('k'),
    named(''),
  ];
  return [
    ...data.map((text) => `{"query":"windAloft","data":{"waypoints":${text}}}`),
    ...data.map(
      (text) => `{"query":"performance","data":${JSON.stringify(example).slice(0, -1)},"inopItems":${text}}}`,
    ),
    ...[named('k'), named('windSpeed')].map(
      (text) => `{"query":"performance","data":${JSON.stringify(example).slice(0, -1)},${text.slice(1)}}`,
    ),
    `{"query":"${'performance'.repeat(bytes / 11)}"}`,
  ];
};

interface Loop {
  maxDelayMs: number;
  cpuMs: number;
}

const loopOf = ({ child }: Target): Promise<Loop> =>
  new Promise((resolve) => {
    const listen = (message: { loop?: Loop }) => {
      if (!message.loop) return;
      child.off('message', listen);
      resolve(message.loop);
    };
    child.on('message', listen);
    child.send('loop');
  });

const attack = async (
  target: Target,
  name: string,
  bodies: readonly string[],
  maxCpuMs = 100,
): Promise<Row[]> => {
  const agent = keepAlive(1);
  let costliestMs = 0;
  let costliest = '';
  let longestDelayMs = 0;
  const all: Sent[] = [];
  const probed = await probeDuring(target.url, async () => {
    let last = await loopOf(target);
    for (const [i, body] of bodies.entries()) {
      all.push(
        await send(`${target.url}/api`, {
          agent,
          headers: {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(body)),
            authorization: `Bearer ${target.tokens[i % target.tokens.length]}`,
            'x-forwarded-for': `203.0.113.${100 + (i % 100)}`,
          },
          body: [body],
        }),
      );
      const now = await loopOf(target);
      longestDelayMs = Math.max(longestDelayMs, now.maxDelayMs);
      if (now.cpuMs - last.cpuMs > costliestMs) {
        costliestMs = now.cpuMs - last.cpuMs;
        costliest = body.slice(0, 40);
      }
      last = now;
    }
  });
  agent.destroy();
  return [
    below(`${name}: CPU of one request`, costliestMs, maxCpuMs, 'ms', ` (${costliest}…); ${outcomes(all)}`),
    below(
      `${name}: /healthz p99`,
      probed.p99Ms,
      100,
      'ms',
      ` (${probeText(probed)}; event loop held for ${longestDelayMs.toFixed(1)} ms at most)`,
    ),
  ];
};

export const hostile: readonly Scenario[] = [
  (target) => attack(target, 'long texts', hostileTexts()),
  (target) => attack(target, 'costly bodies of 250 kB', costlyShapes(250_000)),
  (target) => attack(target, 'costly bodies of 4.5 MB', costlyShapes(4_500_000), 300),
];
