import { encodeField } from './grib/message.ts';
import { wantedLevelsHpa } from '#data/feeds/winds/fields.ts';
import { temperatureK, windAt } from './atmosphere.ts';

/** A global grid of five degrees: small enough to be generated on request, read like the published ones. */
const grid = { ni: 72, nj: 37, lat1: 90, lon1: 0, di: 5, dj: 5 } as const;
const publishedAfterMs = 4 * 3_600_000;

interface WindFile {
  bytes: Buffer;
  index: string;
}

const valuesOf = (value: (latitudeDeg: number, longitudeDeg: number) => number): number[] =>
  Array.from({ length: grid.ni * grid.nj }, (_, i) =>
    value(grid.lat1 - Math.floor(i / grid.ni) * grid.dj, (i % grid.ni) * grid.di),
  );

const makeFile = (cycle: Date, hour: number): WindFile => {
  const hours = cycle.getTime() / 3_600_000 + hour;
  const when = cycle.toISOString().slice(0, 13).replace(/[-T]/g, '');
  const validity = hour === 0 ? 'anl' : `${hour} hour fcst`;
  const messages: Buffer[] = [];
  const lines: string[] = [];
  let at = 0;
  for (const levelHpa of wantedLevelsHpa) {
    const parameters = [
      { name: 'TMP', category: 0, number: 0, value: (lat: number) => temperatureK(lat, levelHpa) },
      {
        name: 'UGRD',
        category: 2,
        number: 2,
        value: (lat: number, lon: number) => windAt(lat, lon, levelHpa, hours).u,
      },
      {
        name: 'VGRD',
        category: 2,
        number: 3,
        value: (lat: number, lon: number) => windAt(lat, lon, levelHpa, hours).v,
      },
    ];
    for (const { name, category, number, value } of parameters) {
      const message = encodeField({
        values: valuesOf(value),
        grid,
        decimals: 2,
        category,
        number,
        hour,
        cycleMs: cycle.getTime(),
        level: { type: 100, scale: 0, value: levelHpa * 100 },
      });
      lines.push(`${lines.length + 1}:${at}:d=${when}:${name}:${levelHpa} mb:${validity}:`);
      messages.push(message);
      at += message.length;
    }
  }
  return { bytes: Buffer.concat(messages), index: `${lines.join('\n')}\n` };
};

const pattern = /^\/gfs\.(\d{4})(\d\d)(\d\d)\/(\d\d)\/atmos\/gfs\.t\d\dz\.pgrb2\.1p00\.f(\d{3})(\.idx)?$/;

/**
 * The GFS file or inventory of an address; null when there is none (yet). The last generated file is cached.
 */
export const simulatedWinds = (): ((path: string, now: Date) => Buffer | null) => {
  let last: { key: string; file: WindFile } | undefined;
  return (path, now) => {
    const [, year, month, day, cycleHour, hour, isIndex] = pattern.exec(path) ?? [];
    if (hour === undefined) return null;
    const cycle = new Date(`${year}-${month}-${day}T${cycleHour}:00:00Z`);
    const age = now.getTime() - cycle.getTime();
    const isCycle = Number(cycleHour) % 6 === 0 && Number(hour) % 3 === 0 && Number(hour) <= 48;
    if (!isCycle || !(age >= publishedAfterMs && age <= 240 * 3_600_000)) return null;
    const key = `${cycle.toISOString()} ${hour}`;
    if (last?.key !== key) last = { key, file: makeFile(cycle, Number(hour)) };
    return isIndex === undefined ? last.file.bytes : Buffer.from(last.file.index);
  };
};
