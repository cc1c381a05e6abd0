/** Simulated runway surface reports as NOTAM: FICON in the United States, SNOWTAM elsewhere. */
import type { RawAirport } from '#domain/airports/build.ts';
import { notamTime, two, weatherAt } from './weather.ts';

const twoHoursMs = 2 * 3_600_000;
/** Always included, so that a first start shows one. */
const wellKnown = 'KJFK';
const share = 200;

/**
 * Reports for the first runway of some airports: dry snow if it freezes, else water, observed at the last even hour.
 */
export const surfaceTexts = (airports: readonly RawAirport[], now: Date): string => {
  const observed = new Date(Math.floor(now.getTime() / twoHoursMs) * twoHoursMs);
  const until = new Date(observed.getTime() + 4 * twoHoursMs);
  return airports
    .filter(({ icao }, i) => icao === wellKnown || i % share === share / 2)
    .map((airport, i) => {
      const { icao } = airport;
      const ident = airport.runways[0]?.low.ident ?? '';
      const isFreezing = weatherAt(airport, observed).temperatureC <= 0;
      const number = two(Math.floor(observed.getUTCHours() / 2) + 1);
      if (/^K[A-Z]{3}$/.test(icao)) {
        const place = icao.slice(1);
        const surface = isFreezing ? '3/3/3 100 PCT 1/4IN DRY SN' : '5/5/5 100 PCT WET';
        const time = notamTime(observed);
        return `!${place} ${two(observed.getUTCMonth() + 1)}/${number}${i % 10} ${place} RWY ${ident} FICON ${surface} OBS AT ${time}. ${time}-${notamTime(until)}\n`;
      }
      const all = (words: string): string => [words, words, words].join('/');
      const surface = isFreezing
        ? `3/3/3 ${all('100')} ${all('06')} ${all('DRY SNOW')}`
        : `5/5/5 ${all('100')} ${all('NR')} ${all('WET')}`;
      return `(SNOWTAM 00${number}\n${icao}\n${notamTime(observed).slice(2)} ${ident} ${surface})\n`;
    })
    .join('\n');
};
