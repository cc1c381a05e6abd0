import { wantedLevelsHpa } from '#data/feeds/winds/idx.ts';
import { encodeField } from './grib.ts';

/** Altitude of a pressure level in the standard atmosphere, metres. */
const altitudeM = (levelHpa: number): number =>
  levelHpa >= 226.32
    ? 44_330.8 * (1 - (levelHpa / 1_013.25) ** 0.190_263)
    : 11_000 + 6_341.6 * Math.log(226.32 / levelHpa);

/** Westerlies with a meandering jet at 45 degrees near 250 hPa, in m/s. */
export const windAt = (latitudeDeg: number, longitudeDeg: number, levelHpa: number, hours: number) => {
  const phase = ((longitudeDeg * 5 + hours * 2) * Math.PI) / 180;
  const jetLatitude = 45 + 8 * Math.sin(phase);
  const height = Math.exp(-(((altitudeM(levelHpa) - 10_500) / 6_000) ** 2));
  const jet = 50 * height * Math.exp(-(((Math.abs(latitudeDeg) - jetLatitude) / 12) ** 2));
  return { u: 3 + jet, v: 0.35 * jet * Math.cos(phase) };
};

/** Temperature at a level in K, warmer toward the equator below 11 km. */
export const temperatureK = (latitudeDeg: number, levelHpa: number): number => {
  const warmth = 12 - Math.abs(latitudeDeg) * 0.4;
  const altitude = altitudeM(levelHpa);
  return altitude < 11_000 ? 288.15 - 0.0065 * altitude + warmth * (1 - altitude / 11_000) : 216.65;
};

/** A global five-degree grid: small enough to generate on request, read like the published ones. */
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
    const wind = (latitudeDeg: number, longitudeDeg: number) =>
      windAt(latitudeDeg, longitudeDeg, levelHpa, hours);
    const parameters = [
      ['TMP', 0, 0, valuesOf((latitudeDeg) => temperatureK(latitudeDeg, levelHpa))],
      ['UGRD', 2, 2, valuesOf((...place) => wind(...place).u)],
      ['VGRD', 2, 3, valuesOf((...place) => wind(...place).v)],
    ] as const;
    for (const [name, category, number, values] of parameters) {
      const message = encodeField({
        values,
        grid,
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

/** The GFS file or inventory at a path; null if it does not exist (yet). The last file is cached. */
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
