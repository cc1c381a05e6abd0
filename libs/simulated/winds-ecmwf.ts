import { temperatureK, windAt } from './atmosphere.ts';
import { encodeField } from './grib/message.ts';

/** Five degrees instead of a quarter, in the order of the real files: from the date line eastward. */
const grid = { ni: 72, nj: 37, lat1: 90, lon1: 180, di: 5, dj: 5 } as const;
const publishedAfterMs = 6 * 3_600_000;
const ecmwf = 98;
const keptFiles = 10;

/** Isobaric levels of the open data, hPa. */
export const ecmwfLevelsHpa = [1000, 925, 850, 700, 600, 500, 400, 300, 250, 200, 150, 100, 50] as const;

interface Parameter {
  name: string;
  category: number;
  number: number;
  value: (latitudeDeg: number, longitudeDeg: number) => number;
}

interface EcmwfFile {
  bytes: Buffer;
  index: string;
}

const parametersAt = (levelHpa: number, hours: number): Parameter[] => [
  { name: 't', category: 0, number: 0, value: (lat) => temperatureK(lat, levelHpa) },
  { name: 'u', category: 2, number: 2, value: (lat, lon) => windAt(lat, lon, levelHpa, hours).u },
  { name: 'v', category: 2, number: 3, value: (lat, lon) => windAt(lat, lon, levelHpa, hours).v },
];

const makeFile = (cycle: Date, hour: number): EcmwfFile => {
  const hours = cycle.getTime() / 3_600_000 + hour;
  const iso = cycle.toISOString();
  const messages: Buffer[] = [];
  const lines: string[] = [];
  let at = 0;
  const add = ({ name, category, number, value }: Parameter, level: number | null): void => {
    const message = encodeField({
      values: Array.from({ length: grid.ni * grid.nj }, (_, i) =>
        value(grid.lat1 - Math.floor(i / grid.ni) * grid.dj, (grid.lon1 + (i % grid.ni) * grid.di) % 360),
      ),
      grid,
      decimals: 2,
      category,
      number,
      hour,
      cycleMs: cycle.getTime(),
      centre: ecmwf,
      packing: 'ccsds',
      level: level === null ? { type: 103, scale: 0, value: 2 } : { type: 100, scale: 0, value: level * 100 },
    });
    lines.push(
      JSON.stringify({
        domain: 'g',
        date: iso.slice(0, 10).replaceAll('-', ''),
        time: `${iso.slice(11, 13)}00`,
        expver: '0001',
        class: 'od',
        type: 'fc',
        stream: 'oper',
        step: String(hour),
        levtype: level === null ? 'sfc' : 'pl',
        ...(level === null ? {} : { levelist: String(level) }),
        param: name,
        _offset: at,
        _length: message.length,
      }),
    );
    messages.push(message);
    at += message.length;
  };
  add({ name: '2t', category: 0, number: 0, value: (lat) => temperatureK(lat, 1000) }, null);
  for (const levelHpa of ecmwfLevelsHpa)
    for (const parameter of parametersAt(levelHpa, hours)) add(parameter, levelHpa);
  return { bytes: Buffer.concat(messages), index: `${lines.join('\n')}\n` };
};

const pattern =
  /^\/(\d{4})(\d\d)(\d\d)\/(\d\d)z\/ifs\/0p25\/oper\/\1\2\3\4(?:0000)-(\d{1,3})h-oper-fc\.(grib2|index)$/;

/** ECMWF's open-data file or its inventory of an address; null when there is none (yet). */
export const simulatedEcmwfWinds = (): ((path: string, now: Date) => Buffer | null) => {
  const files = new Map<string, EcmwfFile>();
  return (path, now) => {
    const [, year, month, day, cycleHour, hour, kind] = pattern.exec(path) ?? [];
    if (hour === undefined) return null;
    const cycle = new Date(`${year}-${month}-${day}T${cycleHour}:00:00Z`);
    const age = now.getTime() - cycle.getTime();
    const isCycle = Number(cycleHour) % 6 === 0 && Number(hour) % 3 === 0 && Number(hour) <= 144;
    if (!isCycle || !(age >= publishedAfterMs && age <= 96 * 3_600_000)) return null;
    const key = `${cycle.toISOString()} ${hour}`;
    const file = files.get(key) ?? makeFile(cycle, Number(hour));
    // Coding takes a quarter of a second; the files of one cycle are kept.
    if (files.size >= keptFiles && !files.has(key)) files.clear();
    files.set(key, file);
    return kind === 'index' ? Buffer.from(file.index) : file.bytes;
  };
};
