import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '#data/context.ts';
import { closedRunwayRepo } from '#store/postgres/notam/notam.ts';
import { metarRepo } from '#store/postgres/weather/reports.ts';
import { addSeconds } from '#domain/time.ts';
import { flightCategories, flightCategory } from '#domain/weather/category.ts';
import type { FlightCategory } from '#domain/weather/category.ts';
import { createDocument } from '../../http/documents.ts';
import type { Document } from '../../http/documents.ts';

/** Older reports are not shown as current weather. */
const reportSeconds = 2 * 3_600;
/** How many reports are decoded before other requests get a turn; they take a few milliseconds. */
const batch = 100;

/** `/status/airports.json`: ICAO codes by flight category, and closed runway ends by ICAO code. */
export const airportConditions = async ({ postgres: { db }, clock }: Context): Promise<Document> => {
  const now = clock.now();
  const [metars, closed] = await Promise.all([
    metarRepo(db).since(addSeconds(now, -reportSeconds)),
    closedRunwayRepo(db).byAirport(now),
  ]);
  const categories: Record<FlightCategory, string[]> = { VFR: [], MVFR: [], IFR: [], LIFR: [] };
  for (const [i, { icao, raw }] of metars.entries()) {
    const category = flightCategory(raw);
    if (category) categories[category].push(icao);
    // Yields, so that other requests need not wait for thousands of reports.
    if (i % batch === batch - 1) await nextTurn();
  }
  const json = JSON.stringify({ order: flightCategories, categories, closed: Object.fromEntries(closed) });
  return createDocument('application/json', json);
};
