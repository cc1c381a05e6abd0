/** A mixed load at an even rate through a proxy (`front.ts`), and a ledger of acknowledged writes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { planDocument } from '#test/support/ofp.ts';
import { inflight } from '../api.ts';
import { benchKey } from '../support/accounts.ts';
import type { Front, Got } from './front.ts';

const perSecond = 20;
const leastWeightKg = 45_000;

/** The calls of one second: reads, writes and jobs. */
const kinds = [
  'getUserMeta',
  'checklistSave',
  'airport',
  'performance',
  'flightDataSave',
  'aircraft',
  'picture',
  'airport',
  'getUserMeta',
  'reset',
  'allowedAircrafts',
  'performance',
  'checklistSave',
  'announcementsLatest',
  'flightDataSave',
  'airport',
  'checklistSave',
  'getUserMeta',
  'performance',
  'flightDataSave',
] as const;
type Kind = (typeof kinds)[number];

const readData: Partial<Record<Kind, object>> = {
  getUserMeta: {},
  airport: { icao: 'KDCA' },
  allowedAircrafts: {},
  announcementsLatest: {},
  aircraft: { aircraft: '737-800-7B26', userRegistration: null, virtualAirline: null },
};

export interface Call {
  phase: string;
  kind: Kind;
  ms: number;
}

/** Acknowledged work; each text must be found exactly once afterwards. */
export interface Ledger {
  checklists: string[];
  /** The owner of each data key. */
  flightData: Map<string, Pilot>;
  weights: string[];
  resets: string[];
  pictures: string[];
}

export interface Pilot {
  token: string;
  ofpId: string;
}

export interface Work {
  calls: Call[];
  /** Phase, kind and reason of each request that was not answered with 200. */
  failures: string[];
  ledger: Ledger;
  /** The phase to which calls are counted from now on. */
  phase: (name: string) => void;
  stop: () => Promise<void>;
}

const checklist = {
  checklists: [
    {
      title: 'Before start',
      order: 1,
      items: [
        { challenge: 'Beacon', order: 1, response: 'On', isLine: false, selfDetected: true, note: null },
      ],
    },
  ],
};

export const askApi = (
  front: Front,
  query: string,
  data: object,
  headers: Record<string, string>,
): Promise<Got> =>
  front.send({
    method: 'POST',
    path: '/api',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, data }),
  });

/** Imports a flight plan for each user. */
export const preparePilots = async (front: Front, tokens: readonly string[]): Promise<Pilot[]> => {
  const pilots: Pilot[] = [];
  for (const token of tokens) {
    const headers = { authorization: `Bearer ${token}` };
    const { status, text } = await askApi(
      front,
      'ofpImport',
      { source: 'json', document: planDocument() },
      headers,
    );
    if (status !== 200) throw new Error(`ofpImport answered ${status}: ${text}`);
    const body = JSON.parse(text) as { ofpId?: string; data?: { ofpId?: string } };
    pilots.push({ token, ofpId: body.ofpId ?? body.data?.ofpId ?? '' });
  }
  return pilots;
};

export const startWork = (front: Front, pilots: readonly Pilot[], addresses: readonly string[]): Work => {
  const ledger: Ledger = { checklists: [], flightData: new Map(), weights: [], resets: [], pictures: [] };
  const work: Pick<Work, 'calls' | 'failures'> = { calls: [], failures: [] };
  const undrawn: string[] = [];
  const unmailed = [...addresses];
  let phase = '';
  let isOn = true;

  const one = async (kind: Kind, n: number): Promise<Got | null> => {
    const pilot = pilots[n % pilots.length];
    if (!pilot) throw new Error('no pilots');
    const headers = { authorization: `Bearer ${pilot.token}` };
    const acknowledge = async (query: string, data: object, note: (got: Got) => void): Promise<Got> => {
      const got = await askApi(front, query, data, headers);
      if (got.status === 200) note(got);
      return got;
    };
    switch (kind) {
      case 'checklistSave': {
        const name = `Checklist ${n}`;
        return acknowledge(kind, { name, checklist }, () => ledger.checklists.push(name));
      }
      case 'flightDataSave': {
        const data = { ofpId: pilot.ofpId, dataKey: `key${n}`, payload: { n } };
        return acknowledge(kind, data, () => ledger.flightData.set(data.dataKey, pilot));
      }
      case 'performance': {
        const weight = { landingWeight: leastWeightKg + n };
        return acknowledge(kind, { ...inflight.data, weight }, ({ text }) => {
          ledger.weights.push(String(weight.landingWeight));
          const path = /\/graphics\/[^"]+\.png/.exec(text)?.[0];
          if (path !== undefined) undrawn.push(path);
        });
      }
      case 'picture': {
        const path = undrawn.shift();
        if (path === undefined) return null;
        const got = await front.send({ method: 'GET', path, headers: {}, body: '' });
        if (got.status === 200) ledger.pictures.push(path);
        return got;
      }
      case 'reset': {
        const email = unmailed.shift();
        if (email === undefined) throw new Error('there are too few addresses');
        const got = await askApi(front, 'requestPasswordReset', { email }, { 'x-dev-key': benchKey });
        if (got.status === 200) ledger.resets.push(email);
        return got;
      }
      default:
        return askApi(front, kind, readData[kind] ?? {}, headers);
    }
  };

  const timed = async (kind: Kind, n: number, dueMs: number): Promise<void> => {
    const called = { phase, kind };
    const got = await one(kind, n);
    if (got === null) return;
    work.calls.push({ ...called, ms: performance.now() - dueMs });
    if (got.status !== 200)
      work.failures.push(`${called.phase}: ${kind} ${got.status} ${got.text.slice(0, 100)}`);
  };
  const running = (async () => {
    const open = new Set<Promise<void>>();
    const began = performance.now();
    for (let n = 0; isOn;) {
      const dueMs = began + (n * 1_000) / perSecond;
      if (performance.now() < dueMs) {
        await sleep(1);
        continue;
      }
      const call: Promise<void> = timed(kinds[n % kinds.length] ?? 'airport', n, dueMs);
      open.add(call);
      void call.finally(() => open.delete(call));
      n += 1;
    }
    await Promise.all(open);
  })();
  return {
    ...work,
    ledger,
    phase: (name) => {
      phase = name;
    },
    stop: async () => {
      isOn = false;
      await running;
    },
  };
};
