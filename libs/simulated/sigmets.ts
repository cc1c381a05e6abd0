import type { SigmetProduct } from '#domain/weather/sigmet.ts';
import { some } from './formats.ts';
import type { ContentFault } from './formats.ts';
import { dayTime, degreesMinutes } from './weather.ts';

/** A weather area of the simulated world: south-west corner and size in degrees. */
interface Box {
  fir: string;
  name: string;
  hazard: string;
  qualifier: string;
  south: number;
  west: number;
  size: number;
  /** Feet. */
  base: number | null;
  top: number | null;
  dir: string;
}

const box = (
  fir: string,
  name: string,
  [hazard, qualifier, dir]: readonly [string, string, string],
  [south, west, size]: readonly [number, number, number],
  [base, top]: readonly [number | null, number | null],
): Box => ({ fir, name, hazard, qualifier, dir, south, west, size, base, top });

/** On and near busy routes, across the date line, and at high latitudes. */
const world: readonly Box[] = [
  box('EGTT', 'LONDON', ['TURB', 'SEV', 'E'], [51, -4, 3], [24_000, 38_000]),
  box('EDUU', 'RHEIN', ['ICE', 'SEV', 'NE'], [48.5, 7, 3], [6_000, 18_000]),
  box('LFFF', 'PARIS', ['TS', 'EMBD', 'NE'], [47, 1, 3], [null, 40_000]),
  box('EGGX', 'SHANWICK OCEANIC', ['TURB', 'SEV', 'E'], [52, -25, 6], [30_000, 39_000]),
  box('CZQX', 'GANDER OCEANIC', ['TURB', 'SEV', 'E'], [48, -48, 6], [28_000, 41_000]),
  box('LIRR', 'ROMA', ['MTW', 'SEV', 'N'], [42, 11, 2], [4_000, 24_000]),
  box('BIRD', 'REYKJAVIK', ['VA', 'ASKJA', 'S'], [64, -19, 3], [null, 25_000]),
  box('NZZO', 'AUCKLAND OCEANIC', ['TURB', 'SEV', 'SE'], [-30, 176, 8], [20_000, 46_000]),
  box('PAZA', 'ANCHORAGE', ['VA', 'SHISHALDIN', 'E'], [52, 178, 5], [null, 30_000]),
  box('WSJC', 'SINGAPORE', ['TS', 'EMBD', 'W'], [1, 104, 4], [null, 52_000]),
  box('SBAZ', 'AMAZONICA', ['TS', 'EMBD', 'W'], [-6, -64, 5], [null, 47_000]),
  box('OBBB', 'BAHRAIN', ['DS', 'SEV', 'S'], [25, 50, 2], [null, 10_000]),
];

const states: readonly Box[] = [
  box('KKCI', '54E', ['CONVECTIVE', '5', 'E'], [28, -82, 2], [null, 45_000]),
  box('KKCI', '55E', ['CONVECTIVE', '5', 'E'], [40, -77, 2], [null, 42_000]),
  box('KKCI', '31C', ['CONVECTIVE', '5', 'E'], [32, -97, 3], [null, 45_000]),
  box('KKCI', 'N2', ['TURB', '4', 'E'], [38, -108, 4], [24_000, 39_000]),
  box('KKCI', 'O1', ['ICING', '4', 'E'], [44, -90, 4], [8_000, 18_000]),
  box('KKCI', 'P1', ['TURB', '4', 'E'], [40.5, -74.5, 1.5], [18_000, 30_000]),
];

const three = (value: number) => String(Math.round(value)).padStart(3, '0');

/** `N5100 W00400`. */
const place = (latitude: number, longitude: number): string =>
  `${latitude < 0 ? 'S' : 'N'}${degreesMinutes(latitude, 2)} ${longitude < 0 ? 'W' : 'E'}${degreesMinutes(longitude, 3)}`;

const cornersOf = ({ south, west, size }: Box) =>
  [
    [south, west],
    [south + size, west],
    [south + size, west + size],
    [south, west + size],
    [south, west],
  ].map(([lat = 0, lon = 0]) => ({ lat, lon: lon > 180 ? lon - 360 : lon }));

const fourHoursMs = 4 * 3_600_000;
const unix = (ms: number): number => Math.floor(ms / 1000);

/** Warnings last four hours; each began within the last two. */
const beginOf = (index: number, nowMs: number): number => {
  const offsetMs = index * 17 * 60_000;
  return Math.floor((nowMs - offsetMs) / (fourHoursMs / 2)) * (fourHoursMs / 2) + offsetMs;
};

const levels = ({ base, top }: Box): string =>
  base === null ? `TOP FL${three((top ?? 0) / 100)}` : `FL${three(base / 100)}/${three((top ?? 0) / 100)}`;

const isigmetOf = (each: Box, index: number, nowMs: number) => {
  const from = new Date(beginOf(index, nowMs));
  const to = new Date(from.getTime() + fourHoursMs);
  const [at, until, coords] = [dayTime(from), dayTime(to), cornersOf(each)];
  const corners = coords.map(({ lat, lon }) => place(lat, lon)).join(' - ');
  const { fir, name, hazard, qualifier, dir } = each;
  return {
    icaoId: fir,
    firId: fir,
    firName: `${fir} ${name}`,
    receiptTime: from.toISOString(),
    validTimeFrom: unix(from.getTime()),
    validTimeTo: unix(to.getTime()),
    seriesId: String(index + 1),
    hazard,
    qualifier,
    base: each.base,
    top: each.top,
    geom: 'AREA',
    coords,
    dir,
    spd: '20',
    chng: 'NC',
    rawSigmet: `WSXX21 ${fir} ${at}\n${fir} SIGMET ${index + 1} VALID ${at}/${until} ${fir}-\n${fir} ${name} FIR ${qualifier} ${hazard} OBS WI ${corners} ${levels(each)} MOV ${dir} 20KT NC=`,
  };
};

const airsigmetOf = (each: Box, index: number, nowMs: number) => {
  const from = new Date(beginOf(index, nowMs));
  const to = new Date(from.getTime() + fourHoursMs);
  return {
    icaoId: each.fir,
    alphaChar: 'E',
    seriesId: each.name,
    receiptTime: from.toISOString(),
    creationTime: from.toISOString(),
    validTimeFrom: unix(from.getTime()),
    validTimeTo: unix(to.getTime()),
    airSigmetType: 'SIGMET',
    hazard: each.hazard,
    altitudeHi1: each.top,
    altitudeHi2: each.top,
    altitudeLow1: each.base,
    altitudeLow2: null,
    movementDir: 270,
    movementSpd: 25,
    rawAirSigmet: `WSUS31 KKCI ${dayTime(from)}\n${each.hazard} SIGMET ${each.name}\nVALID UNTIL ${dayTime(to).slice(2)}Z\nMOV FROM 27025KT.`,
    postProcessFlag: 0,
    severity: Number(each.qualifier),
    coords: cornersOf(each),
  };
};

/** Snapshots of three areas, now and in three hours. */
const gairmetOf = (each: Box, index: number, nowMs: number) => {
  const issued = Math.floor(nowMs / (fourHoursMs / 4)) * (fourHoursMs / 4);
  const hour = index < states.length / 2 ? 0 : 3;
  return {
    tag: `${index + 1}W`,
    forecastHour: hour,
    validTime: new Date(issued + hour * 3_600_000).toISOString(),
    hazard: each.base === null ? 'IFR' : 'TURB-HI',
    geometryType: 'AREA',
    severity: each.base === null ? null : 'MOD',
    due_to: each.base === null ? 'CIG BLW 010/VIS BLW 3SM PCPN/BR' : null,
    status: 'NRML',
    top: each.base === null ? null : three((each.top ?? 0) / 100),
    base: each.base === null ? null : three(each.base / 100),
    fzltop: null,
    fzlbase: null,
    level: null,
    receiptTime: unix(issued),
    issueTime: unix(issued),
    expireTime: unix(issued + 6 * 3_600_000),
    product: each.base === null ? 'SIERRA' : 'TANGO',
    geom: 'AREA',
    coords: cornersOf(each).map(({ lat, lon }) => ({ lat: lat.toFixed(2), lon: lon.toFixed(2) })),
  };
};

const makers = { isigmet: isigmetOf, airsigmet: airsigmetOf, gairmet: gairmetOf };

/** A list in the JSON format of the Aviation Weather Center's data API. */
export const sigmetList = (product: SigmetProduct, now: Date, fault: ContentFault): string => {
  const nowMs = now.getTime() + (fault === 'future' ? 30 * 86_400_000 : 0);
  const boxes = product === 'isigmet' ? world : states;
  const records = some(boxes, fault).map((each, index) => makers[product](each, index, nowMs));
  return JSON.stringify(fault === 'schema' ? { type: 'FeatureCollection', features: records } : records);
};
