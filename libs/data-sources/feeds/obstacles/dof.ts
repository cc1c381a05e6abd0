/** FAA Digital Obstacle File (public domain): fixed columns (DOF.DAT). */
import { SourceError, refuseHtml } from '#domain/source-error.ts';
import type { Obstacle } from '#store/postgres/airports/obstacles.ts';
import { assertText, isZip, unzip } from '../unpack.ts';

/** `00236`, `-0017`; null for blank. */
const integerOf = (text: string): number | null => (/^-?\d+$/.test(text.trim()) ? Number(text) : null);

/** `30 10 45.00N`, `088 04 39.00W`. */
const dmsOf = (text: string): number | null => {
  const match = /^(\d{1,3}) (\d{1,2}) (\d{1,2}(?:\.\d*)?)([NSEW])$/.exec(text.trim());
  if (!match) return null;
  const degrees = Number(match[1]) + Number(match[2]) / 60 + Number(match[3]) / 3600;
  return match[4] === 'S' || match[4] === 'W' ? -degrees : degrees;
};

/** Parses one line of DOF.DAT: null for a dismantled obstacle, a string for the reason why a line is rejected. */
const parseDofDatLine = (line: string): Obstacle | string | null => {
  if (line.slice(118, 119) === 'D') return null;
  const [latitudeDeg, longitudeDeg] = [dmsOf(line.slice(35, 47)), dmsOf(line.slice(48, 61))];
  if (latitudeDeg === null || longitudeDeg === null) return 'no position';
  if (Math.abs(latitudeDeg) > 90 || Math.abs(longitudeDeg) > 180) return 'position out of range';
  const aglFt = integerOf(line.slice(83, 88));
  if (aglFt === null) return 'no height';
  return {
    id: line.slice(0, 9).trim(),
    latitudeDeg: Math.round(latitudeDeg * 1e6) / 1e6,
    longitudeDeg: Math.round(longitudeDeg * 1e6) / 1e6,
    type: line.slice(62, 80).trim(),
    aglFt,
    amslFt: integerOf(line.slice(89, 94)),
  };
};

interface ObstacleFile {
  obstacles: Obstacle[];
  /** A sample; `rejected` counts all. */
  rejects: { reason: string; sample: string }[];
  rejected: number;
  /** Rows read, including dismantled obstacles and those below the minimum height. */
  read: number;
  /** Currency date in the DAT header, `YYYY-MM-DD`. */
  currencyDate: string | null;
}

const keptRejects = 100;

/** Yields lines one by one, as the whole file has 650,000. */
const linesOf = function* (bytes: Buffer): Generator<string> {
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(10, start);
    const stop = end < 0 ? bytes.length : end;
    // cp1252 and latin-1 differ only in typographic characters, which the file does not use.
    yield bytes.toString('latin1', start, stop).replace(/\r$/, '');
    start = stop + 1;
  }
};

const currencyDateOf = (head: string): string | null => {
  const match = /CURRENCY DATE = (\d\d)\/(\d\d)\/(\d\d)/.exec(head);
  return match ? `20${match[3]}-${match[1]}-${match[2]}` : null;
};

/** Reads an unpacked DOF file without lower obstacles. Throws SourceError for other content or if none remain. */
export const parseObstacles = (bytes: Buffer, minimumAglFt = 0): ObstacleFile => {
  const head = bytes.toString('latin1', 0, 2_000);
  refuseHtml(head);
  const currencyDate = currencyDateOf(head);
  if (currencyDate === null && !/^\d\d-\d{6} /m.test(head))
    throw new SourceError('WRONG_CONTENT', 'The file is not an FAA obstacle file (DOF.DAT).');
  const result: ObstacleFile = { obstacles: [], rejects: [], rejected: 0, read: 0, currencyDate };
  const take = (parsed: Obstacle | string | null, sample: string) => {
    if (typeof parsed !== 'string') {
      result.read += 1;
      if (parsed && parsed.aglFt >= minimumAglFt) result.obstacles.push(parsed);
    } else {
      result.rejected += 1;
      if (result.rejects.length < keptRejects)
        result.rejects.push({ reason: parsed, sample: sample.slice(0, 200) });
    }
  };
  for (const line of linesOf(bytes)) if (/^\d\d-\d{6}/.test(line)) take(parseDofDatLine(line), line);
  if (result.obstacles.length === 0 && minimumAglFt === 0) {
    throw new SourceError('EMPTY', 'The obstacle file has no obstacles.');
  }
  return result;
};

const maxUnpackedBytes = 600_000_000;

/** The nationwide file in an archive that also has one file per state. */
export const obstacleFileOf = async (bytes: Buffer): Promise<Buffer> => {
  if (!isZip(bytes)) return bytes;
  const files = (await unzip(bytes, maxUnpackedBytes)).filter(({ name }) => /\.dat$/i.test(name));
  const whole = files.find(({ name }) => /(?:^|\/)DOF\.DAT$/i.test(name));
  const largest = files.toSorted((a, b) => b.bytes.length - a.bytes.length)[0];
  const file = whole ?? largest;
  if (!file) throw new SourceError('CORRUPT', 'The archive contains no obstacle file (DOF.DAT).');
  assertText(file.bytes, file.name);
  return file.bytes;
};
