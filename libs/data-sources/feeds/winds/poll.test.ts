import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHttp } from '#data/http.ts';
import { createLogger } from '#data/log.ts';
import { forecastTimeAt } from '#domain/winds/forecast-time.ts';
import { windSampler } from '#domain/winds/interpolate.ts';
import { fetchSource } from '../fetch.ts';
import { SourceError } from '../source-error.ts';
import { fillTemplate } from './cycle.ts';
import { readWindFiles } from './files.ts';
import { makeHour, TEST_CYCLE_MS, TEST_LEVELS_HPA, TEST_TEMPLATE } from '#test/support/grib/gfs.ts';
import { pollWinds } from './poll.ts';
import type { WindPollOptions } from './poll.ts';
import { sourceOf } from './sources.ts';

const HOURS = [0, 6, 12, 18, 24, 30, 36, 42, 48];
const HOUR_MS = 3_600_000;
/** Four hours after the cycle: it should be published. */
const NOW_MS = TEST_CYCLE_MS + 4 * HOUR_MS;

type Handler = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

const published = new Map<string, Buffer>();
/** A failure in front of the files; returns whether it answered. Only `/a` is broken, `/b` works. */
let failure: Handler = () => false;
let requests: string[] = [];
let server: Server;
let base: string;

const publish = (cycleMs: number, hours = HOURS, change: (hour: number) => number = (hour) => hour): void => {
  for (const hour of hours) {
    const path = fillTemplate(TEST_TEMPLATE, cycleMs, hour);
    const { grib, idx } = makeHour({ cycleMs }, change(hour));
    published.set(path, grib);
    published.set(`${path}.idx`, Buffer.from(idx));
  }
};

const answer = (request: IncomingMessage, response: ServerResponse): void => {
  const path = request.url ?? '';
  requests.push(path);
  if (path.startsWith('/a/') && failure(request, response, path)) return;
  const file = published.get(path.slice(2));
  if (!file) {
    response.writeHead(404).end('not here');
    return;
  }
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  if (!range) response.writeHead(200).end(file);
  else
    response.writeHead(206).end(file.subarray(Number(range[1]), range[2] ? Number(range[2]) + 1 : undefined));
};

beforeAll(async () => {
  server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  published.clear();
  requests = [];
  failure = () => false;
});

const http = createHttp(createLogger('test', 'silent'));

const optionsOf = (
  over: Partial<WindPollOptions> & { places?: string[]; timeoutMs?: number } = {},
): WindPollOptions => {
  const { places = ['/a', '/b'], timeoutMs = 2_000, ...rest } = over;
  return {
    sources: places.map((place) => sourceOf(`${base}${place}${TEST_TEMPLATE}`)),
    fetch: (address, options) =>
      fetchSource(address, { http, signal: AbortSignal.timeout(20_000), ...options, timeoutMs }),
    nowMs: NOW_MS,
    activeCycleMs: null,
    requiredLevelsHpa: TEST_LEVELS_HPA,
    ...rest,
  };
};

describe('a cycle from a server', () => {
  test('All nine hours are fetched by byte ranges and give the numbers of the files (M-2.12.w6)', async () => {
    publish(TEST_CYCLE_MS);
    const delivery = await pollWinds(optionsOf({ places: ['/a'] }));
    expect(delivery?.snapshot.header).toMatchObject({
      cycleMs: TEST_CYCLE_MS,
      stepsHours: HOURS,
      levelsHpa: [200, 250, 300],
    });
    expect(delivery?.faults).toEqual([]);
    const { snapshot } = delivery ?? { snapshot: null };
    if (!snapshot) throw new Error('no snapshot');
    const time = forecastTimeAt(snapshot.header, TEST_CYCLE_MS + 12 * HOUR_MS);
    const { uMs, temperatureK } = windSampler(snapshot, 0, 90, time)(250);
    expect(uMs).toBeCloseTo(20 + 5 + 3 + 5, 1);
    expect(temperatureK).toBeCloseTo(190 + 31.25 + 0.75 + 1, 1);
  });

  test('Nothing is requested while no newer cycle can be published', async () => {
    expect(await pollWinds(optionsOf({ activeCycleMs: TEST_CYCLE_MS }))).toBeNull();
    expect(requests).toEqual([]);
  });

  test('Not published yet: null without an error, until it is overdue', async () => {
    const options = optionsOf({ activeCycleMs: TEST_CYCLE_MS - 6 * HOUR_MS });
    expect(await pollWinds(options)).toBeNull();
    await expect(pollWinds({ ...options, nowMs: TEST_CYCLE_MS + 7 * HOUR_MS })).rejects.toMatchObject({
      code: 'STALE',
      message: expect.stringContaining('overdue') as string,
    });
  });

  test('A partially published cycle is skipped and the previous one is used', async () => {
    publish(TEST_CYCLE_MS, [0, 6, 12, 48]);
    publish(TEST_CYCLE_MS - 6 * HOUR_MS);
    const delivery = await pollWinds(optionsOf());
    expect(delivery?.snapshot.header.cycleMs).toBe(TEST_CYCLE_MS - 6 * HOUR_MS);
  });

  test('A server that ignores ranges is supported', async () => {
    publish(TEST_CYCLE_MS);
    failure = (_, response, path) => {
      if (path.endsWith('.idx')) return false;
      response.writeHead(200).end(published.get(path.slice(2)));
      return true;
    };
    expect((await pollWinds(optionsOf({ places: ['/a'] })))?.snapshot.header.stepsHours).toEqual(HOURS);
  });

  test('Requests to a server that counts them are spaced', async () => {
    publish(TEST_CYCLE_MS);
    const waits: number[] = [];
    const options = optionsOf({ places: ['/a'], sleep: (ms) => Promise.resolve(waits.push(ms)) });
    const sources = options.sources.map((source) => ({ ...source, spacingMs: 1000, parallel: 1 }));
    await pollWinds({ ...options, sources });
    expect(waits).toEqual(Array.from({ length: requests.length - 1 }, () => 1000));
  });
});

const plain =
  (status: number, headers: Record<string, string> = {}, body = ''): Handler =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
    return true;
  };

/** Failure, and the code when no other source helps. */
const FAILURES: readonly [string, Handler, string][] = [
  ['304 to an unconditional request', plain(304), 'STATUS'],
  ['403', plain(403), 'STATUS'],
  ['429 with Retry-After', plain(429, { 'retry-after': '77' }), 'RATE_LIMITED'],
  ['302 to a block page', plain(302, { location: 'https://example.com/blocked' }), 'REDIRECT'],
  ['HTML with status 200', plain(200, {}, '<!DOCTYPE html><html>sorry</html>'), 'HTML'],
  ['500', plain(500), 'STATUS'],
  ['an empty inventory', plain(200), 'CORRUPT'],
  [
    'a reset connection',
    (request) => {
      request.socket.destroy();
      return true;
    },
    'CONNECTION',
  ],
  [
    'a body that stops',
    (_, response) => {
      response.writeHead(200, { 'content-length': '5000' }).write('1:0:d=2026091606:UGRD:250 mb');
      return true;
    },
    'TIMEOUT',
  ],
  [
    'a truncated file',
    (_, response, path) => {
      if (path.endsWith('.idx')) return false;
      const file = published.get(path.slice(2)) ?? Buffer.alloc(0);
      response.writeHead(206).end(file.subarray(0, file.length - 40));
      return true;
    },
    'TRUNCATED',
  ],
  [
    'half the fields',
    (_, response, path) => {
      if (!path.endsWith('.idx')) return false;
      const lines = (published.get(path.slice(2)) ?? '').toString().split('\n');
      response.writeHead(200).end(lines.slice(0, 4).join('\n'));
      return true;
    },
    'STALE',
  ],
  [
    'an inventory of another file',
    (_, response, path) => {
      if (!path.endsWith('.idx')) return false;
      const idx = (published.get(path.slice(2)) ?? '').toString();
      response.writeHead(200).end(idx.replaceAll(/:(\d+):d=/g, (_all, n: string) => `:${Number(n) + 7}:d=`));
      return true;
    },
    'STALE',
  ],
  [
    'the file of another cycle',
    (_, response, path) => {
      if (path.endsWith('.idx')) return false;
      response.writeHead(200).end(makeHour({ cycleMs: TEST_CYCLE_MS - 24 * HOUR_MS }, 6).grib);
      return true;
    },
    'STALE',
  ],
];

describe('failures of a source', () => {
  test.each(FAILURES)('%s: the other source is used', async (_, handler) => {
    publish(TEST_CYCLE_MS);
    failure = handler;
    const delivery = await pollWinds(optionsOf({ timeoutMs: 300 }));
    expect(delivery?.snapshot.header.stepsHours).toEqual(HOURS);
    expect(delivery?.faults.length).toBeGreaterThan(0);
  });

  test.each(FAILURES)(
    '%s everywhere: one clear error, and the next successful run recovers',
    async (_, handler, code) => {
      publish(TEST_CYCLE_MS);
      failure = handler;
      const options = optionsOf({
        places: ['/a'],
        timeoutMs: 300,
        activeCycleMs: TEST_CYCLE_MS - 6 * HOUR_MS,
      });
      const error = await pollWinds(options).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(SourceError);
      expect(error).toMatchObject({ code });
      failure = () => false;
      expect((await pollWinds(options))?.snapshot.header.cycleMs).toBe(TEST_CYCLE_MS);
    },
  );

  test('The pause requested by a server is passed on, and the server is called only once per run', async () => {
    publish(TEST_CYCLE_MS);
    failure = plain(429, { 'retry-after': '77' });
    await expect(pollWinds(optionsOf({ places: ['/a'] }))).rejects.toMatchObject({ retryAfterSeconds: 77 });
    expect(requests).toHaveLength(1);
  });

  test('Implausible numbers are refused', async () => {
    publish(TEST_CYCLE_MS);
    const wild = makeHour({ cycleMs: TEST_CYCLE_MS, value: (field) => (field === 2 ? 250 : 400) }, 48);
    const path = fillTemplate(TEST_TEMPLATE, TEST_CYCLE_MS, 48);
    published.set(path, wild.grib);
    published.set(`${path}.idx`, Buffer.from(wild.idx));
    await expect(pollWinds(optionsOf({ places: ['/b'] }))).rejects.toMatchObject({ code: 'CORRUPT' });
  });
});

describe('manual files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'winds-'));
  });
  const clean = () => rm(folder, { recursive: true, force: true });

  test('A folder with arbitrary names, compressed files and other files', async () => {
    await Promise.all(
      HOURS.map((hour, i) => {
        const { grib } = makeHour({ cycleMs: TEST_CYCLE_MS }, hour);
        return writeFile(join(folder, `part ${9 - i}${i % 2 ? '.gz' : ''}`), i % 2 ? gzipSync(grib) : grib);
      }),
    );
    await writeFile(join(folder, 'a.idx'), 'not a field');
    await writeFile(join(folder, 'z.grib2'), makeHour({ cycleMs: TEST_CYCLE_MS, stepDeg: 30 }, 6).grib);
    const { snapshot, files } = await readWindFiles(folder);
    expect(files).toBe(10);
    expect(snapshot.header.stepsHours).toEqual(HOURS);
    expect(snapshot.header.grid.ni).toBe(8);
    const sources = [sourceOf(pathToFileURL(folder).href)];
    const polled = await pollWinds(optionsOf({ sources }));
    expect(polled?.snapshot.header).toEqual(snapshot.header);
    expect(await pollWinds(optionsOf({ sources, activeCycleMs: TEST_CYCLE_MS }))).toBeNull();
    await clean();
  });

  test('One file with all hours; too few hours only when allowed', async () => {
    const file = join(folder, 'cycle');
    await writeFile(
      file,
      Buffer.concat(HOURS.map((hour) => makeHour({ cycleMs: TEST_CYCLE_MS }, hour).grib)),
    );
    expect((await readWindFiles(file)).snapshot.header.stepsHours).toEqual(HOURS);
    await writeFile(
      file,
      Buffer.concat([0, 6].map((hour) => makeHour({ cycleMs: TEST_CYCLE_MS }, hour).grib)),
    );
    await expect(readWindFiles(file)).rejects.toMatchObject({ code: 'GUARD' });
    expect((await readWindFiles(file, { allowPartial: true })).snapshot.header.stepsHours).toEqual([0, 6]);
    await clean();
  });

  test('0.25 degree files are thinned to one degree', async () => {
    const file = join(folder, 'fine');
    const fine = {
      cycleMs: TEST_CYCLE_MS,
      stepDeg: 0.25,
      levelsHpa: [250, 300],
      packing: { template: 4 } as const,
    };
    await writeFile(file, makeHour(fine, 0).grib);
    const { snapshot } = await readWindFiles(file, { allowPartial: true });
    expect(snapshot.header.grid).toMatchObject({ ni: 360, nj: 181, diDeg: 1, djDeg: 1 });
    const time = forecastTimeAt(snapshot.header, TEST_CYCLE_MS);
    expect(windSampler(snapshot, 0, 90, time)(250).uMs).toBeCloseTo(20 + 5 + 5, 1);
    await clean();
  });

  test.each([
    ['no GRIB', () => Buffer.from('hello'), 'CORRUPT'],
    ['a truncated file', () => makeHour({ cycleMs: TEST_CYCLE_MS }, 0).grib.subarray(0, 500), 'TRUNCATED'],
    [
      'a truncated gzip',
      () => gzipSync(makeHour({ cycleMs: TEST_CYCLE_MS }, 0).grib).subarray(0, 300),
      'TRUNCATED',
    ],
  ])('%s is refused', async (_, bytes, code) => {
    const file = join(folder, 'x');
    await writeFile(file, bytes());
    await expect(readWindFiles(file)).rejects.toMatchObject({ code });
    await clean();
  });
});
