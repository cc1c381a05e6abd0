/** What the feeds have stored for one station. */
import type { ReadDb } from '#store/postgres/sql.ts';
import { currentDatis, datisRepo } from '#store/postgres/weather/datis.ts';
import { metarRepo, tafRepo } from '#store/postgres/weather/reports.ts';

export const storedMetar = async (db: ReadDb, icao: string) =>
  (await metarRepo(db).ofStations([icao]))[0] ?? null;

export const storedTaf = async (db: ReadDb, icao: string) =>
  (await tafRepo(db).ofStations([icao]))[0] ?? null;

export const storedDatis = async (db: ReadDb, icao: string, now: Date) =>
  currentDatis(await datisRepo(db).stored([icao]), now);
