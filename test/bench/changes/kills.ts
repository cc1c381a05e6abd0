/**
 * The API and a worker of the whole service are killed in turn while devices listen, by calls that wait and by streams. Exact is:
 * each device hears of the last revision of every row, and of no revision twice.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { insertAllBySql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { createClient, EfbError } from '../../../clients/typescript/src/index.ts';
import type { Client, Output } from '../../../clients/typescript/src/index.ts';
import { startFaultService } from '../faults/service.ts';
import type { FaultService } from '../faults/service.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';

const accounts = 4;
const keys = 40;
const betweenMs = 300;
const drainMs = 120_000;

/** `account plan key`, and the revision. */
type Saved = Map<string, number>;

interface Device {
  account: number;
  /** The last revision of each row. */
  heard: Map<string, number>;
  twice: string[];
  backwards: string[];
  stop: () => Promise<void>;
}

type Changes = Output<'changes'>['changes'];

const note = ({ heard, twice, backwards }: Omit<Device, 'stop'>, changes: Changes): void => {
  for (const { kind, id, dataKey, revision } of changes) {
    const row = `${kind} ${id} ${dataKey}`;
    const before = heard.get(row) ?? 0;
    const now = revision ?? 0;
    if (now === before) twice.push(`${row} ${now}`);
    if (now < before) backwards.push(`${row} ${now} after ${before}`);
    heard.set(row, Math.max(before, now));
  }
};

/** By calls that wait; a cut call is made again with the cursor of the last answer. */
const waitingDevice = (client: Client, account: number, cursor: string): Device => {
  const device = { account, heard: new Map<string, number>(), twice: [], backwards: [] };
  const stopped = new AbortController();
  const listen = async (): Promise<void> => {
    let since = cursor;
    while (!stopped.signal.aborted) {
      try {
        for await (const answer of client.changes(since, { kinds: ['flightData'], signal: stopped.signal })) {
          note(device, answer.changes);
          since = answer.cursor;
        }
      } catch (error) {
        if (stopped.signal.aborted) return;
        if (!(error instanceof EfbError)) throw error;
        await sleep(100);
      }
    }
  };
  const listening = listen();
  return {
    ...device,
    stop: async () => {
      stopped.abort();
      await listening;
    },
  };
};

/** By Server-Sent Events; a cut stream goes on from the id of its last whole event. */
const streamingDevice = (url: string, token: string, account: number, cursor: string): Device => {
  const device = { account, heard: new Map<string, number>(), twice: [], backwards: [] };
  const stopped = new AbortController();
  let since = cursor;
  const read = async (): Promise<void> => {
    const response = await fetch(`${url}/api/changes?kinds=flightData`, {
      headers: { authorization: `Bearer ${token}`, 'last-event-id': since },
      signal: stopped.signal,
    });
    let text = '';
    const decoder = new TextDecoder();
    for await (const part of response.body ?? []) {
      text += decoder.decode(part as Uint8Array, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, id] = /^id: (.*)$/m.exec(event) ?? [];
        const [, data] = /^data: (.*)$/m.exec(event) ?? [];
        if (id === undefined || data === undefined) continue;
        note(device, (JSON.parse(data) as { changes: Changes }).changes);
        since = id;
      }
    }
  };
  const listen = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      // The process that served it has been killed.
      await read().catch(() => undefined);
      if (!stopped.signal.aborted) await sleep(100);
    }
  };
  const listening = listen();
  return {
    ...device,
    stop: async () => {
      stopped.abort();
      await listening;
    },
  };
};

/** Saves until it is stopped; each is repeated with its key until it is acknowledged. */
const startWriting = (client: Client, account: number, ofpId: string, saved: Saved) => {
  const state = { running: true };
  const write = async (): Promise<void> => {
    for (let n = 0; state.running; n += 1) {
      const dataKey = `k${n % keys}`;
      const idempotencyKey = randomUUID();
      const save = () =>
        client.call('flightDataSave', { ofpId, dataKey, payload: { n } }, { idempotencyKey });
      const read = () => client.call('flightDataGet', { ofpId, dataKey });
      for (let call: typeof save | typeof read | null = save; call !== null;)
        try {
          const { data } = await call();
          saved.set(`${account} flightData ${ofpId} ${dataKey}`, data.version);
          call = null;
        } catch (error) {
          if (!(error instanceof EfbError)) throw error;
          // Killed between the commit and its answer: it is stored.
          if (error.code === 'IDEMPOTENT_ANSWER_LOST') call = read;
          // A killed process gives no answer, or one that it cannot serve now; anything else would be repeated for ever.
          else if (error.status > 0 && error.status < 500 && error.code !== 'IDEMPOTENCY_KEY_IN_USE')
            throw error;
          await sleep(100);
        }
      await sleep(100);
    }
  };
  const writing = write();
  return async () => {
    state.running = false;
    await writing;
  };
};

const killed = async (service: FaultService, kills: number): Promise<void> => {
  for (let n = 0; n < kills; n += 1) {
    await sleep(betweenMs);
    await service.kill(n % 2 === 0 ? 'api' : 'workers');
  }
};

export const killsOf = async (kills: number): Promise<Row[]> => {
  const service = await startFaultService();
  const devices: Device[] = [];
  try {
    const plans = await insertAllBySql<{ id: string; userId: number }>(service.postgres)`
      INSERT INTO ofp (id, user_id, name, source, content_hash, facts, created_at, imported_at, expires_at)
      SELECT 'OFP-' || lpad(id::text, 20, '0'), id, 'EDDF-KJFK', 'json', id::text, '{}', now(), now(), now() + interval '9 days'
      FROM app_user RETURNING id, user_id AS "userId"`;
    // Accounts of the service itself come before those of the tokens.
    const own = plans.toSorted((a, b) => a.userId - b.userId).slice(-service.tokens.length);
    const saved: Saved = new Map();
    const stops: (() => Promise<void>)[] = [];
    for (let account = 0; account < accounts; account += 1) {
      const token = service.tokens[account] ?? '';
      const client = createClient({
        baseUrl: service.url,
        token: { token, expires: '2999-01-01T00:00:00Z' },
      });
      const { cursor } = await client.call('changes', { kinds: ['flightData'] });
      devices.push(
        waitingDevice(client, account, cursor),
        streamingDevice(service.url, token, account, cursor),
      );
      stops.push(startWriting(client, account, own[account]?.id ?? '', saved));
    }
    await killed(service, kills);
    for (const stop of stops) await stop();
    const wanted = ({ account }: Device) =>
      [...saved]
        .filter(([row]) => row.startsWith(`${account} `))
        .map(([row, revision]) => [row.slice(row.indexOf(' ') + 1), revision] as const);
    const gaps = () =>
      devices.flatMap((device) =>
        wanted(device)
          .filter(([row, revision]) => device.heard.get(row) !== revision)
          .map(([row]) => row),
      );
    await until('all devices hear of the last revisions', () => gaps().length === 0, drainMs).catch(
      () => undefined,
    );
    const saves = [...saved.values()].reduce((sum, revision) => sum + revision, 0);
    const twice = devices.flatMap((device) => device.twice);
    const backwards = devices.flatMap((device) => device.backwards);
    const name = `${kills} kills of API and workers`;
    return [
      check(
        `${name}: rows whose last revision a device has not heard of`,
        gaps().length === 0,
        `${gaps().length} of ${saved.size * 2}, ${saves} saves`,
        '0',
      ),
      check(
        `${name}: revisions heard twice`,
        twice.length === 0,
        `${twice.length} ${twice.slice(0, 3).join('; ')}`,
        '0',
      ),
      check(
        `${name}: revisions heard out of order`,
        backwards.length === 0,
        `${backwards.length} ${backwards.slice(0, 3).join('; ')}`,
        '0',
      ),
    ];
  } finally {
    await Promise.all(devices.map(({ stop }) => stop()));
    await service.close();
  }
};
