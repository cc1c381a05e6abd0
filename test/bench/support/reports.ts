/** Weather reports for benchmarks. */
import { metarWrites, tafWrites } from '#store/postgres/weather/reports.ts';
import type { Postgres } from '#store/postgres/pool.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** A METAR and a TAF of each station. */
export const storeReports = (postgres: Postgres, stations: readonly string[], now: Date): Promise<void> =>
  postgres.transaction(async (tx) => {
    const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
    const until = new Date(hour.getTime() + 24 * 3_600_000);
    const dayHour = (at: Date) => `${two(at.getUTCDate())}${two(at.getUTCHours())}`;
    const groups = '24012G25KT 200V280 9999 -RA FEW012 BKN025';
    await metarWrites(tx).store(
      stations.map((icao) => ({
        icao,
        observedAt: hour.toISOString(),
        raw: `METAR ${icao} ${dayHour(hour)}00Z ${groups} 12/08 Q1013 TEMPO 4000 RA BKN008`,
        source: 'AWC',
      })),
      now,
    );
    await tafWrites(tx).store(
      stations.map((icao) => ({
        icao,
        issuedAt: hour.toISOString(),
        validFrom: hour.toISOString(),
        validTo: until.toISOString(),
        raw: `TAF ${icao} ${dayHour(hour)}00Z ${dayHour(hour)}/${dayHour(until)} ${groups} TEMPO ${dayHour(hour)}/${dayHour(until)} 3000 +SHRA BKN008CB`,
        source: 'AWC',
      })),
      now,
    );
  });
