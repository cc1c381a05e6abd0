import type { Obstacle } from '#store/postgres/airports/obstacles.ts';

const blankToNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** `00236`, `-0017`; null for blank. */
const integerOf = (text: string): number | null => (/^-?\d+$/.test(text.trim()) ? Number(text) : null);

/** `2025263` (year and day of the year). */
const julianDate = (text: string): string | null => {
  const match = /^(\d{4})(\d{3})$/.exec(text.trim());
  if (!match) return null;
  return new Date(Date.UTC(Number(match[1]), 0, Number(match[2]))).toISOString().slice(0, 10);
};

/** `30 10 45.00N`, `088 04 39.00W`. */
const dmsOf = (text: string): number | null => {
  const match = /^(\d{1,3}) (\d{1,2}) (\d{1,2}(?:\.\d*)?)([NSEW])$/.exec(text.trim());
  if (!match) return null;
  const degrees = Number(match[1]) + Number(match[2]) / 60 + Number(match[3]) / 3600;
  return match[4] === 'S' || match[4] === 'W' ? -degrees : degrees;
};

interface Fields {
  id: string;
  verified: string;
  latitudeDeg: number | null;
  longitudeDeg: number | null;
  type: string;
  agl: string;
  amsl: string;
  lighting: string;
  horizontal: string;
  vertical: string;
  action: string;
  date: string;
}

const obstacleOf = (fields: Fields): Obstacle | string => {
  if (fields.action.trim() === 'D') return 'dismantled';
  const { latitudeDeg, longitudeDeg } = fields;
  if (latitudeDeg === null || longitudeDeg === null) return 'no position';
  if (Math.abs(latitudeDeg) > 90 || Math.abs(longitudeDeg) > 180) return 'position out of range';
  const aglFt = integerOf(fields.agl);
  if (aglFt === null) return 'no height';
  return {
    id: fields.id.trim(),
    latitudeDeg: Math.round(latitudeDeg * 1e6) / 1e6,
    longitudeDeg: Math.round(longitudeDeg * 1e6) / 1e6,
    type: fields.type.trim(),
    aglFt,
    amslFt: integerOf(fields.amsl),
    lighting: blankToNull(fields.lighting),
    isVerified: fields.verified.trim() === 'O',
    horizontalAccuracy: blankToNull(fields.horizontal),
    verticalAccuracy: blankToNull(fields.vertical),
    actionDate: julianDate(fields.date),
  };
};

/** One line of DOF.DAT; a string is the reason why it is not used (`dismantled` is not an error). */
export const parseDofDatLine = (line: string): Obstacle | string =>
  obstacleOf({
    id: line.slice(0, 9),
    verified: line.slice(10, 11),
    latitudeDeg: dmsOf(line.slice(35, 47)),
    longitudeDeg: dmsOf(line.slice(48, 61)),
    type: line.slice(62, 80),
    agl: line.slice(83, 88),
    amsl: line.slice(89, 94),
    lighting: line.slice(95, 96),
    horizontal: line.slice(97, 98),
    vertical: line.slice(99, 100),
    action: line.slice(118, 119),
    date: line.slice(120, 127),
  });

const decimalOf = (text: string): number | null =>
  text.trim() === '' || !Number.isFinite(Number(text)) ? null : Number(text);

/** One line of DOF.CSV: unquoted and padded, so splitting at commas is sufficient. */
export const parseDofCsvLine = (line: string, columns: readonly string[]): Obstacle | string => {
  const values = line.split(',');
  if (values.length < columns.length) return 'truncated line';
  const field = (name: string): string => values[columns.indexOf(name)] ?? '';
  const accuracy = field('ACCURACY').trim();
  return obstacleOf({
    id: field('OAS'),
    verified: field('VERIFIED STATUS'),
    latitudeDeg: decimalOf(field('LATDEC')),
    longitudeDeg: decimalOf(field('LONDEC')),
    type: field('TYPE'),
    agl: field('AGL'),
    amsl: field('AMSL'),
    lighting: field('LIGHTING'),
    horizontal: accuracy.slice(0, 1),
    vertical: accuracy.slice(1, 2),
    action: field('ACTION'),
    date: field('JDATE'),
  });
};
