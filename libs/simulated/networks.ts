import type { RawAirport } from '#domain/airports/build.ts';
import { some } from './formats.ts';
import type { ContentFault } from './formats.ts';
import { metarText, reportTime, weatherAt } from './weather.ts';

const letterAt = (now: Date): string => String.fromCharCode(65 + (now.getUTCHours() % 26));

/** First network: controllers with an ATIS at some large airports. */
export const networkAControllers = (stations: readonly RawAirport[], now: Date, fault: ContentFault) =>
  some(stations.slice(0, 60), fault).map((station, i) => ({
    id: 50_000_000 + i,
    callsign: `${station.icao}_TWR`,
    atcSession: { frequency: 118 + (i % 72) * 0.25, position: 'TWR' },
    atis: {
      revision: letterAt(now),
      timestamp: reportTime(station.icao, now).toISOString(),
      lines: [
        `${station.icao} Tower`,
        `Information ${letterAt(now)} recorded at ${reportTime(station.icao, now).toISOString().slice(11, 16).replace(':', '')}z`,
        metarText(weatherAt(station, reportTime(station.icao, now))).slice('METAR '.length),
        `CONFIRM ATIS INFO ${letterAt(now)} on initial contact`,
      ],
    },
  }));

export const ivaoWhazzup = (stations: readonly RawAirport[], now: Date, fault: ContentFault): string => {
  const atcs = networkAControllers(stations, now, fault);
  const body = {
    updatedAt: now.toISOString(),
    servers: [],
    voiceServers: [],
    clients: { pilots: [], atcs, followMe: [], observers: [] },
    connections: { total: atcs.length, atc: atcs.length },
  };
  return JSON.stringify(fault === 'schema' ? { ...body, clients: { controllers: atcs } } : body);
};

export const ivaoAtis = (stations: readonly RawAirport[], now: Date, fault: ContentFault): string =>
  JSON.stringify(
    networkAControllers(stations, now, fault).map(({ id, callsign, atis }) => ({
      ...atis,
      callsign,
      sessionId: id,
    })),
  );

/** Second network: ATIS stations at some other large airports. */
export const vatsimData = (stations: readonly RawAirport[], now: Date, fault: ContentFault): string => {
  const atis = some(stations.slice(40, 100), fault).map((station, i) => ({
    cid: 1_000_000 + i,
    name: 'ATIS',
    callsign: `${station.icao}_ATIS`,
    frequency: (127 + (i % 36) * 0.025).toFixed(3),
    facility: 4,
    rating: 4,
    server: 'SIMULATED',
    visual_range: 50,
    atis_code: letterAt(now),
    text_atis: [
      `${station.icao} ATIS INFO ${letterAt(now)}.`,
      metarText(weatherAt(station, reportTime(station.icao, now))).slice('METAR '.length),
    ],
    last_updated: now.toISOString(),
    logon_time: reportTime(station.icao, now).toISOString(),
  }));
  const general = {
    version: fault === 'schema' ? 4 : 3,
    reload: 1,
    update_timestamp: now.toISOString(),
  };
  return JSON.stringify({ general, pilots: [], controllers: [], atis });
};
