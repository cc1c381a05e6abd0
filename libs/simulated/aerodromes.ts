import type { RawAirport } from '#domain/airports/build.ts';
import type { RawRunway } from '#domain/airports/types.ts';
import { degreesMinutes, notamTime, two } from './weather.ts';

const metresPerDegree = 111_320;

interface Point {
  lat: number;
  lon: number;
}

/** Exits along a runway (share of its length), and the sharper of their two angles. */
const exits = [
  { share: 0.02, angleDeg: 90 },
  { share: 0.3, angleDeg: 30 },
  { share: 0.45, angleDeg: 30 },
  { share: 0.55, angleDeg: 30 },
  { share: 0.7, angleDeg: 30 },
  { share: 0.98, angleDeg: 90 },
] as const;

const endsOf = ({ low, high }: RawRunway): [Point, Point] | null => {
  if (low.latitudeDeg === null || low.longitudeDeg === null) return null;
  if (high.latitudeDeg === null || high.longitudeDeg === null) return null;
  return [
    { lat: low.latitudeDeg, lon: low.longitudeDeg },
    { lat: high.latitudeDeg, lon: high.longitudeDeg },
  ];
};

/** A runway with a parallel taxiway and exits, sharing nodes as in OpenStreetMap. */
const mapOfRunway = (runway: RawRunway, [low, high]: [Point, Point], firstId: number) => {
  const elements: object[] = [];
  let id = firstId;
  const node = ({ lat, lon }: Point): number => {
    id += 1;
    elements.push({ type: 'node', id, lat, lon });
    return id;
  };
  const way = (nodes: number[], tags: Record<string, string>) => {
    id += 1;
    elements.push({ type: 'way', id, nodes, tags });
  };
  const scale = Math.cos((low.lat * Math.PI) / 180);
  const axis = {
    x: (high.lon - low.lon) * scale * metresPerDegree,
    y: (high.lat - low.lat) * metresPerDegree,
  };
  const length = Math.hypot(axis.x, axis.y);
  /** A point `alongM` from the low end and `besideM` to the right of the runway. */
  const at = (alongM: number, besideM: number): Point => {
    const x = (axis.x * alongM + axis.y * besideM) / length;
    const y = (axis.y * alongM - axis.x * besideM) / length;
    return { lat: low.lat + y / metresPerDegree, lon: low.lon + x / (scale * metresPerDegree) };
  };
  const onRunway = exits.map(({ share }) => node(at(share * length, 0)));
  way([node(low), ...onRunway, node(high)], {
    aeroway: 'runway',
    ref: `${runway.low.ident}/${runway.high.ident}`,
  });
  const besideM = 180;
  const onTaxiway = exits.map(({ share, angleDeg }) => {
    const ahead = besideM / Math.tan((angleDeg * Math.PI) / 180);
    // Exits before the middle serve landings from the high end, the others landings from the low end.
    return node(at(share * length + (share < 0.5 ? -ahead : ahead), besideM));
  });
  exits.forEach((_, i) =>
    way([onRunway[i] ?? 0, onTaxiway[i] ?? 0], { aeroway: 'taxiway', ref: `A${i + 1}` }),
  );
  way(onTaxiway, { aeroway: 'taxiway', ref: 'A' });
  return { elements, lastId: id };
};

/** An Overpass server's answer for the runways in a box. */
export const overpassAnswer = (airports: readonly RawAirport[], body: string, now: Date): string => {
  const query = new URLSearchParams(body).get('data') ?? body;
  const box = /\((-?[\d.]+),(-?[\d.]+),(-?[\d.]+),(-?[\d.]+)\)/.exec(query)?.slice(1).map(Number);
  const [south = 0, west = 0, north = 0, east = 0] = box ?? [];
  const isInside = ({ lat, lon }: Point) => lat >= south && lat <= north && lon >= west && lon <= east;
  const elements: object[] = [];
  let id = 1_000;
  for (const runway of airports.flatMap((airport) => airport.runways)) {
    const ends = endsOf(runway);
    if (!ends || !ends.every(isInside)) continue;
    const map = mapOfRunway(runway, ends, id);
    elements.push(...map.elements);
    id = map.lastId;
  }
  return JSON.stringify({
    version: 0.6,
    generator: 'simulated',
    osm3s: { timestamp_osm_base: now.toISOString() },
    elements,
  });
};

const degreesText = (value: number, digits: number, signs: string): string => {
  const seconds = Math.round(Math.abs(value) * 360_000) / 100;
  const text = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  const rest = (seconds % 60).toFixed(2).padStart(5, '0');
  return `${String(text[0]).padStart(digits, '0')} ${String(text[1]).padStart(2, '0')} ${rest}${value < 0 ? signs[1] : signs[0]}`;
};

/** `DOF.DAT` with a mast next to each American airport. */
export const obstacleDat = (airports: readonly RawAirport[], now: Date): string => {
  const [year, month, day] = now.toISOString().slice(2, 10).split('-');
  const head = [
    `  CURRENCY DATE = ${month}/${day}/${year}`,
    '                                     LATITUDE    LONGITUDE     OBSTACLE            AGL  AMSL LT ACC MAR FAA       ACTION',
    'OAS#      V CO ST CITY             DEG MIN SEC  DEG MIN SEC   TYPE                 HT    HT    H V IND STUDY            JDATE',
    '-'.repeat(127),
  ];
  const lines = airports
    .filter((airport) => airport.icao.startsWith('K') && airport.elevationFt !== null)
    .map((airport, i) => {
      const agl = 150 + (i % 9) * 25;
      return [
        `01-${String(i + 1).padStart(6, '0')} O US XX `,
        airport.icao.padEnd(16),
        ' ',
        degreesText(airport.latitudeDeg + 0.03, 2, 'NS'),
        ' ',
        degreesText(airport.longitudeDeg + 0.02, 3, 'EW'),
        ' ',
        'TOWER'.padEnd(18),
        ` 1 ${String(agl).padStart(5, '0')} ${String(Math.round(agl + (airport.elevationFt ?? 0))).padStart(5, '0')} R 5 D M `,
        `${now.getUTCFullYear()}ASO${String(i).padStart(5, '0')}OE C ${now.getUTCFullYear()}001 `,
      ].join('');
    });
  return `${[...head, ...lines].join('\r\n')}\r\n`;
};

/** NOTAM in ICAO format: every fortieth airport with two runways has one closed this week. */
export const notamTexts = (airports: readonly RawAirport[], now: Date): string => {
  const weekMs = 7 * 86_400_000;
  const from = new Date(Math.floor(now.getTime() / weekMs) * weekMs);
  const to = new Date(from.getTime() + weekMs);
  return airports
    .filter((airport) => airport.runways.length >= 2)
    .filter((_, i) => i % 40 === 0)
    .map((airport, i) => {
      const runway = airport.runways.at(-1);
      const { latitudeDeg, longitudeDeg } = airport;
      const latitude = `${degreesMinutes(latitudeDeg, 2)}${latitudeDeg < 0 ? 'S' : 'N'}`;
      const place = `${latitude}${degreesMinutes(longitudeDeg, 3)}${longitudeDeg < 0 ? 'W' : 'E'}`;
      return [
        `A${String(i + 1).padStart(4, '0')}/${two(from.getUTCFullYear() % 100)} NOTAMN`,
        `Q) ${airport.icao.slice(0, 2)}XX/QMRLC/IV/NBO/A/000/999/${place}005`,
        `A) ${airport.icao} B) ${notamTime(from)} C) ${notamTime(to)}`,
        `E) RWY ${runway?.low.ident}/${runway?.high.ident} CLSD`,
        '',
      ].join('\n');
    })
    .join('\n');
};
