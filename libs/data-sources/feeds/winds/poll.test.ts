import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHttp } from '#platform/http.ts';
import { createLogger } from '#platform/log/log.ts';
import { windSampler } from '#domain/winds/interpolate.ts';
import { fetchSource } from '../fetch.ts';
import { SourceError } from '#domain/source-error.ts';
import { alwaysPublishedHpa } from './idx.ts';
import { fillTemplate, sourceOf } from './sources.ts';
import { readWindFiles } from './files.ts';
import { makeHour, testCycleMs, testTemplate } from '#test/support/grib/gfs.ts';
import { pollWinds } from './poll.ts';
import type { WindPollOptions } from './poll.ts';
import { hourMs } from '#domain/time.ts';
import { isDeep } from '#test/support/deep.ts';

const allHours = [0, 6, 12, 18, 24, 30, 36, 42, 48];
/** Four hours after the cycle, when it should be published. */
const nowMs = testCycleMs + 4 * hourMs;

type Handler = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

const published = new Map<string, Buffer>();
/** A failure before the files are served; returns whether it answered. Only `/a` is broken, `/b` works. */
let failure: Handler = () => false;
let requests: string[] = [];
let server: Server;
let base: string;

const levelsHpa = alwaysPublishedHpa;
const hoursMade: Record<string, ReturnType<typeof makeHour>> = {};
const publish = (cycleMs: number, hours = allHours): void => {
  for (const hour of hours) {
    const path = fillTemplate(testTemplate, cycleMs, hour);
    const made = (hoursMade[`${cycleMs} ${hour}`] ??= makeHour({ cycleMs, levelsHpa }, hour));
    published.set(path, made.grib);
    published.set(`${path}.idx`, Buffer.from(made.idx));
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
  over: Partial<WindPollOptions> & { places?: string[]; isCutShort?: boolean } = {},
): WindPollOptions => {
  const { places = ['/a', '/b'], isCutShort = false, ...rest } = over;
  return {
    sources: places.map((place) => sourceOf(`${base}${place}${testTemplate}`)),
    fetch: (address, options) =>
      fetchSource(address, {
        http,
        signal: AbortSignal.timeout(100_000),
        ...options,
        // Only a server that stops midway needs a short limit, which the other server must never meet.
        timeoutMs: isCutShort && address.startsWith(`${base}/a`) ? 300 : 60_000,
      }),
    nowMs,
    activeCycleMs: null,
    ...rest,
  };
};

describe('fetching a cycle', () => {
  test('All nine hours are fetched by byte ranges and yield the values of the files (M-2.12.w6)', async () => {
    publish(testCycleMs);
    const delivery = await pollWinds(optionsOf({ places: ['/a'] }));
    expect(delivery?.snapshot.header).toMatchObject({
      cycleMs: testCycleMs,
      stepsHours: allHours,
      levelsHpa: [...levelsHpa],
    });
    expect(delivery?.faults).toEqual([]);
    const { snapshot } = delivery ?? { snapshot: null };
    if (!snapshot) throw new Error('no snapshot');
    const place = { latitude: 0, longitude: 90 };
    const { uMs, temperatureK } = windSampler(snapshot, place, testCycleMs + 12 * hourMs)(250);
    expect(uMs).toBeCloseTo(20 + 5 + 3 + 5, 1);
    expect(temperatureK).toBeCloseTo(190 + 31.25 + 0.75 + 1, 1);
  });

  test('Nothing is requested while no newer cycle can have been published', async () => {
    expect(await pollWinds(optionsOf({ activeCycleMs: testCycleMs }))).toBeNull();
    expect(requests).toEqual([]);
  });

  test('An unpublished cycle is null without an error until it is overdue', async () => {
    const options = optionsOf({ activeCycleMs: testCycleMs - 6 * hourMs });
    expect(await pollWinds(options)).toBeNull();
    await expect(pollWinds({ ...options, nowMs: testCycleMs + 7 * hourMs })).rejects.toMatchObject({
      code: 'STALE',
      message: expect.stringContaining('overdue') as string,
    });
  });

  test('A partially published cycle is skipped and the previous one is used', async () => {
    publish(testCycleMs, [0, 6, 12, 48]);
    publish(testCycleMs - 6 * hourMs);
    const delivery = await pollWinds(optionsOf());
    expect(delivery?.snapshot.header.cycleMs).toBe(testCycleMs - 6 * hourMs);
  });

  test('A server that ignores ranges is supported', async () => {
    publish(testCycleMs);
    failure = (_, response, path) => {
      if (path.endsWith('.idx')) return false;
      response.writeHead(200).end(published.get(path.slice(2)));
      return true;
    };
    expect((await pollWinds(optionsOf({ places: ['/a'] })))?.snapshot.header.stepsHours).toEqual(allHours);
  });

  test('Requests to a server that limits them are spaced', async () => {
    publish(testCycleMs);
    const begun: number[] = [];
    const options = optionsOf({ places: ['/a'] });
    const fetch: typeof options.fetch = (...request) => {
      begun.push(performance.now());
      return options.fetch(...request);
    };
    const sources = options.sources.map((source) => ({ ...source, spacingMs: 20, parallel: 6 }));
    await pollWinds({ ...options, sources, fetch });
    expect(begun).toHaveLength(requests.length);
    // Timers may fire a millisecond early.
    for (const [i, at] of begun.slice(1).entries()) expect(at - (begun[i] ?? at)).toBeGreaterThan(18);
  });
});

const plain =
  (status: number, headers: Record<string, string> = {}, body = ''): Handler =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
    return true;
  };

/** Failures, with the error code when no other source helps. */
const failures: readonly [string, Handler, string][] = [
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
      response.writeHead(200).end(makeHour({ cycleMs: testCycleMs - 24 * hourMs, levelsHpa }, 6).grib);
      return true;
    },
    'STALE',
  ],
];

describe('failing sources', () => {
  test.each(failures)(
    'With %s everywhere there is one clear error, and the next run with another source recovers',
    async (_, handler, code) => {
      publish(testCycleMs);
      failure = handler;
      const options = { activeCycleMs: testCycleMs - 6 * hourMs, isCutShort: code === 'TIMEOUT' };
      const error = await pollWinds(optionsOf({ ...options, places: ['/a'] })).catch(
        (caught: unknown) => caught,
      );
      expect(error).toBeInstanceOf(SourceError);
      expect(error).toMatchObject({ code });
      const delivery = await pollWinds(optionsOf(options));
      expect(delivery?.snapshot.header).toMatchObject({ cycleMs: testCycleMs, stepsHours: allHours });
      expect(delivery?.faults.length).toBeGreaterThan(0);
    },
  );

  test('A pause requested by a server is passed on, and the server is called only once per run', async () => {
    publish(testCycleMs);
    failure = plain(429, { 'retry-after': '77' });
    await expect(pollWinds(optionsOf({ places: ['/a'] }))).rejects.toMatchObject({ retryAfterSeconds: 77 });
    expect(requests).toHaveLength(1);
  });

  test('Implausible values are refused', async () => {
    publish(testCycleMs);
    const wild = makeHour(
      { cycleMs: testCycleMs, levelsHpa, value: (field) => (field === 2 ? 250 : 400) },
      48,
    );
    const path = fillTemplate(testTemplate, testCycleMs, 48);
    published.set(path, wild.grib);
    published.set(`${path}.idx`, Buffer.from(wild.idx));
    await expect(pollWinds(optionsOf({ places: ['/b'] }))).rejects.toMatchObject({ code: 'CORRUPT' });
  });
});

describe('manual files', () => {
  const readFiles = (path: string) => readWindFiles(path, optionsOf().fetch);
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'winds-'));
  });
  const clean = () => rm(folder, { recursive: true, force: true });

  test('A folder with arbitrary names, compressed files and other files is read', async () => {
    await Promise.all(
      allHours.map((hour, i) => {
        const { grib } = makeHour({ cycleMs: testCycleMs }, hour);
        return writeFile(join(folder, `part ${9 - i}${i % 2 ? '.gz' : ''}`), i % 2 ? gzipSync(grib) : grib);
      }),
    );
    await writeFile(join(folder, 'a.idx'), 'not a field');
    await writeFile(join(folder, 'z.grib2'), makeHour({ cycleMs: testCycleMs, stepDeg: 30 }, 6).grib);
    const { snapshot } = await readFiles(folder);
    expect(snapshot.header.stepsHours).toEqual(allHours);
    expect(snapshot.header.grid.ni).toBe(8);
    await clean();
  });

  test('One file with all hours or with a part of them is read', async () => {
    const file = join(folder, 'cycle');
    await writeFile(
      file,
      Buffer.concat(allHours.map((hour) => makeHour({ cycleMs: testCycleMs }, hour).grib)),
    );
    expect((await readFiles(file)).snapshot.header.stepsHours).toEqual(allHours);
    await writeFile(file, Buffer.concat([0, 6].map((hour) => makeHour({ cycleMs: testCycleMs }, hour).grib)));
    expect((await readFiles(file)).snapshot.header.stepsHours).toEqual([0, 6]);
    await clean();
  });

  // A deep run encodes the 0.25 degree grid of the files.
  test('Finer files are reduced to one degree', async () => {
    const file = join(folder, 'fine');
    const fine = {
      cycleMs: testCycleMs,
      stepDeg: isDeep ? 0.25 : 0.5,
      levelsHpa: [250, 300],
      packing: { template: 0, decimals: 2 } as const,
      value: (field: number, _levelHpa: number, latDeg: number, lonDeg: number) =>
        field === 2 ? 250 : (latDeg + lonDeg) / 10,
    };
    await writeFile(file, makeHour(fine, 0).grib);
    const { snapshot } = await readFiles(file);
    expect(snapshot.header.grid).toMatchObject({ ni: 360, nj: 181, diDeg: 1, djDeg: 1 });
    const place = { latitude: 7, longitude: 93 };
    expect(windSampler(snapshot, place, testCycleMs)(250).uMs).toBeCloseTo(10, 3);
    await clean();
  });

  test.each([
    ['no GRIB', () => Buffer.from('hello'), 'CORRUPT'],
    ['a truncated file', () => makeHour({ cycleMs: testCycleMs }, 0).grib.subarray(0, 500), 'TRUNCATED'],
    [
      'a truncated gzip',
      () => gzipSync(makeHour({ cycleMs: testCycleMs }, 0).grib).subarray(0, 300),
      'TRUNCATED',
    ],
  ])('%s is refused', async (_, bytes, code) => {
    const file = join(folder, 'x');
    await writeFile(file, bytes());
    await expect(readFiles(file)).rejects.toMatchObject({ code });
    await clean();
  });
});
