/** Data for a client's first calls: a user, a key, and KJFK with a current METAR. */
import { metarWrites } from '#store/postgres/weather/reports.ts';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';
import { testClock } from '../harness.ts';
import { importAirports } from './airports.ts';

export interface ClientScene {
  api: TestApi;
  user: TestUser;
  devKey: string;
}

export const clientScene = async (): Promise<ClientScene> => {
  // Clients compare a token's expiry with this machine's clock.
  const api = await testApi({ clock: testClock(new Date()) });
  const user = await api.user();
  const devKey = await api.key();
  await importAirports(api.context, ['KJFK']);
  const now = api.context.clock.now();
  const time = now.toISOString();
  const raw = `METAR KJFK ${time.slice(8, 10)}${time.slice(11, 13)}${time.slice(14, 16)}Z 03012KT 10SM FEW030 12/05 A3002`;
  await api.context.postgres.transaction((tx) =>
    metarWrites(tx).store([{ icao: 'KJFK', observedAt: time, raw, source: 'AWC' }], now),
  );
  return { api, user, devKey };
};
