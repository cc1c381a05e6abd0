/** Renders answers: lists as tables, all other fields as one record. */
import { amountText } from '#domain/subscriptions/money.ts';
import type { Answer, Row } from './verb.ts';

/** Writes `lastLoginAt`, `keep-renewal` and `user_info` as words. */
export const titleOf = (name: string): string => {
  const words = name.replaceAll(/[-_]|(?<=[a-z\d])(?=[A-Z])/g, ' ').toLowerCase();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
};

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Writes `amountMinor: 999` with its currency as `amount: 9.99 EUR`. */
const withAmounts = (row: Row): Row => {
  const { currency } = row;
  if (typeof currency !== 'string') return row;
  const fields = Object.entries(row).map(([name, value]) =>
    name.endsWith('Minor') && typeof value === 'number'
      ? [name.slice(0, -'Minor'.length), `${amountText(value, currency)} ${currency}`]
      : [name, value],
  );
  return Object.fromEntries(fields) as Row;
};

const picked = (row: Row, columns = Object.keys(row).join(' ')): Row =>
  Object.fromEntries(columns.split(' ').map((name) => [name, row[name]]));

/** The record and the tables of an answer, these by the names of the lists in its data. */
export const shownOf = ({ text, data, columns = {} }: Answer) => {
  const tables: Record<string, readonly Row[]> = {};
  let record: Row = {};
  for (const [name, value] of Object.entries(data)) {
    const shown = (row: Row) => picked(withAmounts(row), columns[name]);
    if (Array.isArray(value) && value.every(isRow)) tables[name] = value.map(shown);
    else record = { ...record, ...(isRow(value) ? shown(value) : { [name]: value }), ...record };
  }
  return { text, record, tables };
};
