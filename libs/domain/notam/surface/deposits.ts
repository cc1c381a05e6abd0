/** Thirds of a runway in the words of FICON and RSC: `5/3/3 50 PCT 1/8IN DRY SN AND 20 PCT ICE, 100 PCT WET, DRY`. */
import { mmPerInch } from '../../users/units.ts';
import { codeOfDeposits, contaminantAt } from './contaminants.ts';
import type { Deposit, ReportedCode } from './contaminants.ts';
import type { SurfaceThird } from './report.ts';

const inchesPerFoot = 12;
const codes = /^([0-6])\/([0-6])\/([0-6])\b/;
const deposit = /^(?:(\d{1,3}) ?PCT )?(?:((?:\d{1,2} (?=\d\/))?\d{1,2}(?:\/\d{1,2}|\.\d{1,2})?) ?(IN|FT) )?/;
/** Treatment of the middle of a runway and deposits beside it are no deposits on its thirds. */
const treatment =
  /\b(?:PLOWED|PLOUGHED|SWEPT|SANDED|DEICED|ANTI-?ICED|TREATED|GRADED|PACKED|SCARIFIED|REMAINDER|REMAINING WIDTH|WINDROWS?|BERMS?)\b.*/s;
const size = /^[\d/ .]*(?:IN|FT)?\s*$/;
const maxDeposits = 4;

/** The sentence without treatment and without deposits beside the runway. */
export const withoutTreatment = (sentence: string): string =>
  sentence.replace(treatment, '').replace(size, '');

/** Depths in inches that the FAA matrix equates with 3 mm (the limit of a thin layer) and 13 mm. */
const limitsMm: Readonly<Record<number, number>> = { 0.125: 3, 0.5: 13 };

/** Millimetres of a depth such as "1 1/2", "1/8" or "0.5". */
const mmOf = (depth: string, unit: string | undefined): number => {
  const value = depth
    .split(' ')
    .map((part) => part.split('/').map(Number))
    .reduce((sum, [above = 0, below = 1]) => sum + above / below, 0);
  const inches = value * (unit === 'FT' ? inchesPerFoot : 1);
  return limitsMm[inches] ?? Math.round(inches * mmPerInch * 10) / 10;
};

/** Reads one deposit, `30 PCT 1/2IN WET SN`; null when not understood. */
const readDeposit = (text: string): Deposit | null => {
  const found = deposit.exec(text);
  const [all = '', percent, depth, unit] = found ?? [];
  const words = contaminantAt(text.slice(all.length));
  if (words?.rest !== '') return null;
  return {
    contaminant: words.contaminant,
    coveragePercent: percent === undefined ? null : Number(percent),
    depthMm: depth === undefined ? null : mmOf(depth, unit),
  };
};

const readDeposits = (text: string): Deposit[] | null => {
  const found = text.split(/ AND (?=\d)/, maxDeposits).map(readDeposit);
  return found.every((one) => one !== null) ? found : null;
};

/** The three thirds; null when neither codes nor deposits describe all of them. */
export const readThirds = (sentence: string): [SurfaceThird, SurfaceThird, SurfaceThird] | null => {
  const given = codes.exec(sentence);
  const words = sentence
    .slice(given?.[0].length ?? 0)
    .replace(treatment, '')
    .replace(/[ ,;]+$/, '')
    .trim();
  const lists = words === '' ? [] : words.split(/ ?, ?/).map(readDeposits);
  if (lists.length !== 0 && lists.length !== 1 && lists.length !== 3) return null;
  const third = (index: number): SurfaceThird | null => {
    const deposits = lists[lists.length === 1 ? 0 : index] ?? null;
    const code = given?.[index + 1];
    if (code !== undefined)
      return { code: Number(code) as ReportedCode, isCodeReported: true, deposits: deposits ?? [] };
    return deposits && { code: codeOfDeposits(deposits), isCodeReported: false, deposits };
  };
  const [first, second, last] = [third(0), third(1), third(2)];
  return first && second && last ? [first, second, last] : null;
};
