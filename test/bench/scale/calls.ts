/**
 * The ten most frequent calls of a pad: data shown on a flight's pages (weather, airport, plan), saves while
 * the pilot types, and polling for changes. Their frequency is an assumption of the model.
 */
import { planDocument } from '#test/support/ofp.ts';
import { documentOf } from '#test/support/checklists.ts';
import { inflight } from '../api.ts';
import { called, requestHeaders } from '../support/called.ts';
import type { Fields } from '../support/called.ts';
import { callNames, callsPerHour } from './model.ts';
import type { CallName } from './model.ts';

export interface Request {
  body: string;
  headers: Record<string, string>;
}

/** A pilot with the rows that the calls read. */
export interface Pilot {
  token: string;
  ofpId: string;
  /** Position in the feed of changes after everything was saved. */
  since: string;
}

export const airports = ['KJFK', 'KDCA', 'KSFO', 'KLAX', 'KORD', 'KSEA', 'KMIA', 'KBOS', 'KDEN', 'KATL'];
const airportOf = (i: number): string => airports[i % airports.length] ?? '';
/** Some 2 kB: a page of the fuel log. */
const payload = (i: number): Fields => ({
  entries: Array.from({ length: 20 }, (_, row) => ({
    id: row,
    waypoint: `WPT${row}`,
    fuelKg: 8_400 - row * 100 - (i % 50),
    isFlown: row < 10,
    remark: 'as filed by dispatch',
  })),
});

const dataOf: Readonly<Record<CallName, (pilot: Pilot, i: number) => Fields>> = {
  weather: (_, i) => ({ icao: airportOf(i) }),
  airport: (_, i) => ({ icao: airportOf(i) }),
  airportStatus: () => ({}),
  performance: () => inflight.data,
  ofpGet: ({ ofpId }) => ({ ofpId }),
  flightDataGet: ({ ofpId }) => ({ ofpId, dataKey: 'fuel' }),
  flightDataSave: ({ ofpId }, i) => ({ ofpId, dataKey: 'fuel', payload: payload(i) }),
  checklistList: () => ({}),
  refreshUserData: () => ({}),
  changes: ({ since }) => ({ since }),
};

const requestOf = (token: string, query: string, data: Fields): Request => ({
  body: JSON.stringify({ query, data }),
  // As most clients request it.
  headers: {
    ...requestHeaders(token),
    'accept-encoding': 'gzip, deflate, br',
  },
});

/** One call of each pilot. */
export const requestsOf = (name: CallName, pilots: readonly Pilot[]): Request[] =>
  pilots.map((pilot, i) => requestOf(pilot.token, name, dataOf[name](pilot, i)));

/** Hours of users in the mix. */
const hours = 20;

/** One hour of user requests, evenly mixed, each by another pilot. */
export const mixOf = (pilots: readonly Pilot[]): Request[] => {
  const calls = callNames.flatMap((name) =>
    Array.from({ length: callsPerHour[name] }, (_, i) => ({ name, at: (i + 0.5) / callsPerHour[name] })),
  );
  const order = calls.toSorted((a, b) => a.at - b.at);
  return Array.from({ length: hours }, () => order)
    .flat()
    .flatMap(({ name }, i) => {
      const pilot = pilots[i % pilots.length];
      return pilot ? [requestOf(pilot.token, name, dataOf[name](pilot, i))] : [];
    });
};

/** Current position in the feed of changes. */
export const positionOf = async (url: string, token: string): Promise<string> =>
  String((await called(url, token, 'changes', {}))['cursor']);

/** Stores the plan, its flight data and a checklist of a user. */
export const pilotOf = async (url: string, token: string): Promise<Pilot> => {
  const { ofpId } = await called(url, token, 'ofpImport', { source: 'json', document: planDocument() });
  await called(url, token, 'flightDataSave', { ofpId, dataKey: 'fuel', payload: payload(0) });
  await called(url, token, 'checklistSave', { name: 'Mine', checklist: documentOf() });
  const pilot = { token, ofpId: String(ofpId), since: await positionOf(url, token) };
  for (const name of callNames) await called(url, token, name, dataOf[name](pilot, 0));
  return pilot;
};
