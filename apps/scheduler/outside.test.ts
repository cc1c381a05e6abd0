import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createLogger } from '#platform/log/log.ts';
import { runJob } from '#store/queue/run-job.ts';
import { testContext } from '#test/harness.ts';
import { defineFeed } from './define-feed.ts';
import type { Feed } from './define-feed.ts';
import datis from './feeds/datis.ts';
import metar from './feeds/metar.ts';
import notam from './feeds/notam.ts';
import obstacles from './feeds/obstacles.ts';
import taf from './feeds/taf.ts';
import { feedRunHandler } from './feed-jobs.ts';

/** Nothing listens on the port of a closed server. */
const closedPort = async (): Promise<string> => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return `http://127.0.0.1:${port}`;
};

const variables = [
  'METAR_URL',
  'METAR_FALLBACK_URL',
  'TAF_URL',
  'TAF_FALLBACK_URL',
  'IVAO_URL',
  'VATSIM_URL',
  'OBSTACLES_URL',
];

interface Line {
  level: number;
  feed?: string;
  msg: string;
  error?: string;
  err?: { stack: string };
}

/** Runs each feed once as its job does; returns the log lines from `info` up. */
const logOf = async (feeds: Feed[], env: Record<string, string>): Promise<Line[]> => {
  const lines: Line[] = [];
  const log = createLogger('scheduler', 'info', {
    destination: { write: (text) => void lines.push(JSON.parse(text) as Line) },
  });
  const t = await testContext({ env: { SOURCES: 'live', ...env }, log });
  try {
    const handler = feedRunHandler(t, new Map(feeds.map((feed) => [feed.name, feed])));
    for (const feed of feeds) {
      const data = { feed: feed.name, slot: t.clock.now().toISOString() };
      const signal = new AbortController().signal;
      const delivery = {
        id: 'x',
        data,
        attempt: 1,
        dueAt: t.clock.now(),
        signal,
        store: 'postgres',
      } as const;
      await runJob(handler, delivery, log);
    }
    // Read before the queue logs that its database was dropped.
    return [...lines];
  } finally {
    await t.close();
  }
};

describe('logging without internet access', async () => {
  const gone = await closedPort();
  const nowhere = Object.fromEntries(variables.map((name) => [name, `${gone}/file`]));
  const hint = /no outside source can be reached: .*; SOURCES=simulated/;

  test('One line reports all feeds instead of one line per feed', async () => {
    const lines = await logOf([notam, metar, taf, datis, obstacles], nowhere);
    expect(lines.filter((line) => line.err !== undefined)).toEqual([]);
    expect(lines.map((line) => [line.level, line.feed])).toEqual([[40, undefined]]);
    expect(lines[0]?.msg).toMatch(hint);
  });

  test('After any source has answered, an unreachable one is logged separately', async () => {
    const server = createServer((_, response) => void response.writeHead(500).end());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const lines = await logOf([metar, taf], { ...nowhere, METAR_URL: `http://127.0.0.1:${port}/` });
    server.close();
    expect(lines.map(({ feed, msg }) => [feed, msg])).toEqual([
      ['metar', 'feed failed'],
      ['taf', 'feed failed'],
    ]);
    expect(lines[1]?.error).toMatch(/cannot be reached .* \/ .* cannot be reached/);
  });

  test('Once any source has answered, whatever the answer, the hint is omitted', async () => {
    const server = createServer((_, response) => void response.writeHead(500).end());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const lines = await logOf([metar, taf, datis], {
      ...nowhere,
      METAR_FALLBACK_URL: `http://127.0.0.1:${port}/{HH}Z.TXT`,
    });
    server.close();
    expect(lines.map((line) => line.msg)).toEqual(['feed failed', 'feed failed', 'feed failed']);
  });

  test.each(['read', 'store'])('A bug in %s keeps its stack', async (place) => {
    const broken = (at: string) => {
      if (at === place) throw new TypeError('x is not a function');
      return Promise.resolve(1);
    };
    const feed = defineFeed<number, number>({
      name: 'broken',
      schedule: '0 4 * * *',
      graceMinutes: 5,
      staleMinutes: 20,
      timeoutSeconds: 5,
      maxBytes: 1_000,
      guards: { compareWith: 'lastRun' },
      sources: () => [{ label: 'memory', read: () => broken('read') }],
      parse: (records) => ({ records, count: 1, rejects: [] }),
      store: () => broken('store'),
    });
    const lines = await logOf([feed], {});
    const [bug, ...others] = lines.filter((line) => line.err !== undefined);
    expect([bug?.level, others]).toEqual([50, []]);
    expect(bug?.err?.stack).toMatch(/TypeError: x is not a function\n\s+at broken/);
  });
});
