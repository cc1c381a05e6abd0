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

/** One line of DOF.DAT; a string is the reason why it is not used (`dismantled` is not an error). */
export const parseDofDatLine = (line: string): Obstacle | string => {
  if (line.slice(118, 119) === 'D') return 'dismantled';
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
    lighting: blankToNull(line.slice(95, 96)),
    isVerified: line.slice(10, 11) === 'O',
    horizontalAccuracy: blankToNull(line.slice(97, 98)),
    verticalAccuracy: blankToNull(line.slice(99, 100)),
    actionDate: julianDate(line.slice(120, 127)),
  };
};
