/** Devices that follow the change feed by long polling and by streams, while accounts save. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Postgres } from '#store/postgres/pool.ts';
import { insertAllBySql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { createClient, EfbError } from '../../../clients/typescript/src/index.ts';
import type { Client, Output } from '../../../clients/typescript/src/index.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';

const keys = 40;
const drainMs = 120_000;

/** `account plan key`, and the revision. */
type Saved = Map<string, number>;

interface Heard {
  /** The last revision of each row. */
  heard: Map<string, number>;
  twice: string[];
  backwards: string[];
  /** How often it had to read all rows because its cursor was no longer valid. */
  readInFull: number;
}

interface Device extends Heard {
  account: number;
  stop: () => Promise<void>;
}

/** A device listening for changes. */
interface Pad {
  account: number;
  client: Client;
  ofpId: string;
  cursor: string;
}

type Changes = Output<'changes'>['changes'];

const note = ({ heard, twice, backwards }: Heard, changes: Changes): void => {
  for (const { kind, id, dataKey, revision } of changes) {
    const row = `${kind} ${id} ${dataKey}`;
    const before = heard.get(row) ?? 0;
    const now = revision ?? 0;
    if (now === before) twice.push(`${row} ${now}`);
    if (now < before) backwards.push(`${row} ${now} after ${before}`);
    heard.set(row, Math.max(before, now));
  }
};

/** The cursor is read before the rows, so a save in between is received at most once more. */
const readInFull = async (found: Heard, { client, ofpId }: Pad): Promise<string> => {
  const { cursor } = await client.call('changes', { kinds: ['flightData'] });
  const { items } = await client.call('flightDataList', { ofpId });
  for (const { dataKey, version } of items) found.heard.set(`flightData ${ofpId} ${dataKey}`, version);
  found.readInFull += 1;
  return cursor;
};

/**
 * Follows the feed from a cursor until disconnected, reporting each new cursor; `gone`: the cursor is no
 * longer valid.
 */
type Listen = (
  pad: Pad,
  onHeard: (changes: Changes, cursor: string) => void,
  signal: AbortSignal,
) => Promise<'cut' | 'gone'>;

const byCalls: Listen = async ({ client, cursor }, onHeard, signal) => {
  try {
    for await (const answer of client.changes(cursor, { kinds: ['flightData'], signal }))
      onHeard(answer.changes, answer.cursor);
  } catch (error) {
    if (error instanceof EfbError && error.code === 'SINCE_TOO_OLD') return 'gone';
  }
  return 'cut';
};

const byStream =
  (url: string, token: string): Listen =>
  async ({ cursor }, onHeard, signal) => {
    const response = await fetch(`${url}/api/changes?kinds=flightData`, {
      headers: { authorization: `Bearer ${token}`, 'last-event-id': cursor },
      signal,
    });
    if (response.status === 410) return 'gone';
    let text = '';
    const decoder = new TextDecoder();
    for await (const part of response.body ?? []) {
      text += decoder.decode(part as Uint8Array, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, id] = /^id: (.*)$/m.exec(event) ?? [];
        const [, data] = /^data: (.*)$/m.exec(event) ?? [];
        if (id !== undefined && data !== undefined)
          onHeard((JSON.parse(data) as { changes: Changes }).changes, id);
      }
    }
    return 'cut';
  };

/** Resumes from the last cursor after every disconnect, as an app does. */
const deviceOf = (pad: Pad, listen: Listen): Device => {
  const found: Heard = { heard: new Map(), twice: [], backwards: [], readInFull: 0 };
  const stopped = new AbortController();
  const run = async (): Promise<void> => {
    let { cursor } = pad;
    const onHeard = (changes: Changes, later: string) => {
      note(found, changes);
      cursor = later;
    };
    while (!stopped.signal.aborted) {
      // A lost connection throws as well.
      const end = await listen({ ...pad, cursor }, onHeard, stopped.signal).catch(() => 'cut');
      if (end === 'gone') cursor = await readInFull(found, pad).catch(() => cursor);
      await sleep(100);
    }
  };
  const running = run();
  return Object.assign(found, {
    account: pad.account,
    stop: async () => {
      stopped.abort();
      await running;
    },
  });
};

/** Saves until stopped; each save is repeated with its key until acknowledged. */
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
          // Killed between the commit and the answer, so it is stored.
          if (error.code === 'IDEMPOTENT_ANSWER_LOST') call = read;
          // A killed process gives no answer or a 503; any other error would be repeated for ever.
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

/** A plan of each of these users, as an import makes it. */
const plansOf = async (postgres: Postgres, users: number): Promise<string[]> => {
  const plans = await insertAllBySql<{ id: string; userId: number }>(postgres)`
    INSERT INTO ofp (id, user_id, name, source, content_hash, facts, created_at, imported_at, expires_at)
    SELECT 'OFP-' || lpad(id::text, 20, '0'), id, 'EDDF-KJFK', 'json', id::text, '{}', now(), now(), now() + interval '9 days'
    FROM app_user RETURNING id, user_id`;
  // The first accounts belong to the service itself.
  return plans
    .toSorted((a, b) => a.userId - b.userId)
    .slice(-users)
    .map(({ id }) => id);
};

export interface Listening {
  /** Stops saving, waits until the devices have received all changes, and returns their results. */
  end: (name: string) => Promise<{ rows: Row[]; readInFull: number[] }>;
  /** Stops immediately, as after a failure. */
  stop: () => Promise<void>;
}

/**
 * Creates two devices and one saving client for each of the first accounts, distributed over these processes.
 */
export const startListening = async (
  postgres: Postgres,
  { urls, tokens, accounts }: { urls: readonly string[]; tokens: readonly string[]; accounts: number },
): Promise<Listening> => {
  const plans = await plansOf(postgres, tokens.length);
  const saved: Saved = new Map();
  const devices: Device[] = [];
  const stops: (() => Promise<void>)[] = [];
  for (let account = 0; account < accounts; account += 1) {
    const token = tokens[account] ?? '';
    const ofpId = plans[account] ?? '';
    const url = (n: number) => urls[(account + n) % urls.length] ?? '';
    const clientAt = (baseUrl: string) =>
      createClient({ baseUrl, token: { token, expires: '2999-01-01T00:00:00Z' } });
    const client = clientAt(url(0));
    const { cursor } = await client.call('changes', { kinds: ['flightData'] });
    devices.push(
      deviceOf({ account, client, ofpId, cursor }, byCalls),
      deviceOf({ account, client: clientAt(url(1)), ofpId, cursor }, byStream(url(1), token)),
    );
    stops.push(startWriting(client, account, ofpId, saved));
  }
  const gaps = () =>
    devices.flatMap(({ account, heard }) =>
      [...saved]
        .filter(([row]) => row.startsWith(`${account} `))
        .filter(([row, revision]) => heard.get(row.slice(row.indexOf(' ') + 1)) !== revision)
        .map(([row]) => row),
    );
  const stop = async () => void (await Promise.all(devices.map((device) => device.stop())));
  return {
    stop,
    end: async (name) => {
      for (const end of stops) await end();
      await until('all devices hear of the last revisions', () => gaps().length === 0, drainMs).catch(
        () => undefined,
      );
      await stop();
      const saves = [...saved.values()].reduce((sum, revision) => sum + revision, 0);
      const twice = devices.flatMap((device) => device.twice);
      const backwards = devices.flatMap((device) => device.backwards);
      const rows = [
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
      return { rows, readInFull: devices.map((device) => device.readInFull) };
    },
  };
};
