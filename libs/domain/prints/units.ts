/** Values in the reader's units. */
import { units as allUnits } from '../users/units.ts';
import type { unitConfig } from '../users/units.ts';

export type ReaderUnits = (typeof unitConfig)[number];

const detailOf = (id: string) => {
  const detail = allUnits.unitDetails.find((one) => one.id === id);
  if (!detail) throw new Error(`there is no unit ${id}`);
  return detail;
};

/** Converts between units. */
const converted = (value: number, from: string, to: string): number => {
  const [a, b] = [detailOf(from), detailOf(to)];
  return from === to ? value : (value * a.factorToSI + a.offset - b.offset) / b.factorToSI;
};

const grouped = (text: string): string => text.replace(/\B(?=(?:\d{3})+(?!\d))/g, ' ');

/** `3 049 m`, for a value already in this unit. */
export const withUnit = (value: number, unit: string): string => {
  const { symbol, decimals } = detailOf(unit);
  const text = value.toFixed(decimals);
  return `${decimals > 0 || Math.abs(value) < 10_000 ? text : grouped(text)} ${symbol}`;
};

/** Converts knots, degrees C, feet or millimetres to the reader's unit, with its name. */
export const shownIn = (value: number, from: string, to: string): string =>
  withUnit(converted(value, from, to), to);

/** The number alone, without decimals that a table has no room for. */
export const numberIn = (value: number, from: string, to: string): string =>
  converted(value, from, to).toFixed(0).replace('-0', '0');

/** `16 Sep 14:20Z`. */
export const shortTime = (iso: string): string => {
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  return `${Number(iso.slice(8, 10))} ${months[Number(iso.slice(5, 7)) - 1]} ${iso.slice(11, 16)}Z`;
};

/** `030/12G20 kt`, for a wind already in this unit. */
export const windText = (
  { direction, speed, gust }: { direction: number | null; speed: number; gust: number | null },
  unit: string,
): string => {
  const from = direction === null ? 'VRB' : String(Math.round(direction)).padStart(3, '0');
  return `${from}/${speed.toFixed(0)}${gust === null ? '' : `G${gust.toFixed(0)}`} ${detailOf(unit).symbol}`;
};
