/** Assigns the API thread's samples to parts of the service, by the innermost frame that belongs to one. */
import type { Profiler } from 'node:inspector';

export type Profile = Profiler.Profile;

type Frame = Profiler.ProfileNode['callFrame'];

/** By path of the source file; the first match applies. */
const places: readonly (readonly [part: string, place: RegExp])[] = [
  ['log of requests', /services\/request-log\/|postgres\/requests\/|platform\/redaction\//],
  ['metrics, traces', /prom-client|platform\/(?:metrics|tracing)\/|http\/traced\.ts/],
  ['database', /node_modules\/pg[-\w]*\/|data-sources\/postgres\//],
  [
    'checks of input and answer',
    /node_modules\/zod\/|api\/answers\/|domain\/fields\/|stages\/(?:validate|unknown-keys)\.ts/,
  ],
  ['JSON', /http\/(?:json|json-bounds|answer-text)\.ts|text\/json-text\.ts/],
  ['operation', /api\/queries\/|libs\/(?:domain|perf|commands)\//],
  [
    'admission: identity, limits, stages',
    /api\/(?:stages|services|call|dispatch|limits|registry|warm-up)|data-sources\/auth\//,
  ],
  [
    'HTTP',
    /api\/|node_modules\/(?:@?koa|@koa)|node:(?:_http|http|net|zlib|internal\/(?:streams|stream_base))/,
  ],
];

/** Starting the profiler takes a tenth of a second or more, which is not part of the calls. */
const profiler = /bench\/support\/profiler\.ts/;

/** Parts in the order in which they are shown. */
export const partNames = [...places.map(([part]) => part), 'garbage', 'rest'] as const;

const partOf = ({ functionName, url }: Frame): string | null => {
  if (functionName === '(garbage collector)') return 'garbage';
  if (profiler.test(url)) return 'profiler';
  // Runtime frames count for their callers.
  if (url.startsWith('node:')) return null;
  return places.find(([, place]) => place.test(url))?.[0] ?? null;
};

const http = places.at(-1)?.[1];

/** The share of each part in the time that the thread was busy. */
export const sharesOf = ({ nodes, samples = [], timeDeltas = [] }: Profile): Map<string, number> => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const parts = new Map<number, string>();
  const find = (id: number): string => {
    let outermost = 'rest';
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame;
      const part = frame && partOf(frame);
      if (part) return part;
      if (frame && http?.test(frame.url)) outermost = 'HTTP';
    }
    return outermost;
  };
  const times = new Map<string, number>();
  let busy = 0;
  for (const [i, id] of samples.entries()) {
    if (byId.get(id)?.callFrame.functionName === '(idle)') continue;
    const part = parts.get(id) ?? find(id);
    parts.set(id, part);
    if (part === 'profiler') continue;
    const time = timeDeltas[i] ?? 0;
    times.set(part, (times.get(part) ?? 0) + time);
    busy += time;
  }
  return new Map([...times].map(([part, time]) => [part, time / busy]));
};
