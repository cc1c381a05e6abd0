import type { DistanceToken, Unit } from './distance-tokens.ts';
import { metresPerFoot } from '../users/units.ts';
import { metresOf } from './text.ts';
import type { DistanceKind } from './types.ts';

export type Label = Extract<DistanceToken, { t: 'label' }>;
export type Value = Extract<DistanceToken, { t: 'value' }>;

/** One distance figure with its label and runway. */
export interface Figure {
  runway: string;
  kind: DistanceKind;
  value: Value;
}

/**
 * Pairs values with names by count: one value applies to every name, several apply in order to the labels or to the
 * runways. Null: the counts do not match, or match both.
 */
export const pairFigures = (runways: string[], labels: Label[], values: Value[]): Figure[] | null => {
  const [first] = values;
  if (first === undefined || runways.length === 0 || labels.length === 0) return null;
  const figure = (runway: string, { kind, unit }: Label, value: Value): Figure => ({
    runway,
    kind,
    value: { ...value, unit: value.unit ?? unit },
  });
  if (values.length === 1)
    return runways.flatMap((runway) => labels.map((label) => figure(runway, label, first)));
  const byLabel = labels.length === values.length;
  const byRunway = runways.length === values.length && labels.length === 1;
  if (byLabel && labels.length === runways.length) return null;
  if (byLabel)
    return runways.flatMap((runway) => labels.map((label, i) => figure(runway, label, values[i] ?? first)));
  const [label] = labels;
  return byRunway && label ? runways.map((runway, i) => figure(runway, label, values[i] ?? first)) : null;
};

export const inMetres = (value: Value, isFeet: boolean): number =>
  metresOf(value.value, value.unit ?? (isFeet ? 'FT' : 'M'));

/** "2500M (8202FT)" is one length in two units. */
const isSameLength = (a: Value, b: Value): boolean =>
  a.unit !== undefined &&
  b.unit !== undefined &&
  a.unit !== b.unit &&
  Math.abs(inMetres(a, false) - inMetres(b, false)) <= 0.015 * inMetres(a, false);

/** Steepest slope in published tables, per cent. */
const maxSlope = 10;

/**
 * Combines a figure with the bracket after it: the same length in the other unit, which shows both units, or the
 * obstacle slope in per cent, which changes nothing. Null: the bracket is neither.
 */
const withOtherUnit = (figure: Value, bracket: number): Value | null => {
  if (bracket <= maxSlope) return figure;
  const isOther = (metres: number, feet: number): boolean => Math.abs(metres - feet * metresPerFoot) <= 2;
  if (figure.unit !== 'FT' && isOther(figure.value, bracket)) return { ...figure, unit: 'M' };
  return figure.unit !== 'M' && isOther(bracket, figure.value) ? { ...figure, unit: 'FT' } : null;
};

/** A shared unit follows the last value: "2500/2600/2200M". */
const withUnits = (values: readonly Value[]): Value[] => {
  let unit: Unit | undefined;
  return values
    .toReversed()
    .map((value) => ({ ...value, unit: (unit = value.unit ?? unit) }))
    .toReversed();
};

/** Words between a label and its value without effect. */
const isSkipped = (token: DistanceToken | undefined): boolean =>
  token?.t === 'join' || token?.t === 'filler' || token?.t === 'dimension';

/** The nearest word before (-1) or after (1) a position, punctuation apart. */
export const neighbour = (
  tokens: readonly DistanceToken[],
  at: number,
  step: 1 | -1,
): DistanceToken | undefined => {
  let next = at + step;
  while (isSkipped(tokens[next])) next += step;
  return tokens[next];
};

/** A position in the tokens of a text. */
export interface Cursor {
  tokens: readonly DistanceToken[];
  at: number;
}

export const skip = (cursor: Cursor): void => {
  while (isSkipped(cursor.tokens[cursor.at])) cursor.at += 1;
};

/** Whether the next token is of one of these kinds, after skipping words without effect. */
export const nextIs = ({ tokens, at }: Cursor, kinds: readonly DistanceToken['t'][]): boolean =>
  kinds.some((kind) => neighbour(tokens, at - 1, 1)?.t === kind);

/** "2500/2600/2200M", "3000M CHANGED TO 2700M", "2700M INSTEAD OF 3000M"; null: unclear which figures apply. */
export const readValues = (cursor: Cursor): Value[] | null => {
  const { tokens } = cursor;
  let values: Value[] = [];
  let former: Value[] | null = null;
  let isFormer = false;
  let isAmbiguous = false;
  for (let next = cursor.at; next < tokens.length; next += 1) {
    const token = tokens[next];
    const list: Value[] = isFormer ? (former ?? []) : values;
    const last = list.at(-1);
    if (token?.t === 'value') {
      if (isFormer) (former ??= []).push(token);
      else if (!last || !isSameLength(last, token)) values.push(token);
    } else if (token?.t === 'bracket') {
      const read = last && withOtherUnit(last, token.value);
      if (!read) return null;
      list[list.length - 1] = read;
    } else if (token?.t === 'becomes') {
      isAmbiguous ||= former !== null && values.length > 0;
      if (values.length > 0) former = values;
      values = [];
      isFormer = false;
    } else if (token?.t === 'former') isFormer = true;
    else if (token?.t !== 'join' && token?.t !== 'filler') break;
    if (token.t === 'value' || token.t === 'bracket') cursor.at = next + 1;
  }
  return isAmbiguous || (former !== null && former.length !== values.length) ? null : withUnits(values);
};

/** A table row with empty columns: "34L - - - 1493". Null (cursor unmoved) if none is empty or the count differs. */
export const readCells = (cursor: Cursor, columns: number): (Value | null)[] | null => {
  const cells: (Value | null)[] = [];
  let next = cursor.at;
  for (; cells.length < columns; next += 1) {
    const token = cursor.tokens[next];
    if (token?.t === 'value') cells.push(token);
    else if (token?.t === 'join' && token.sign === '-') cells.push(null);
    else if (token?.t !== 'bracket') return null;
  }
  if (cursor.tokens[next]?.t === 'bracket') next += 1;
  const isPart = cells.includes(null) && cells.some((cell) => cell !== null);
  if (!isPart || cursor.tokens[next]?.t === 'value') return null;
  cursor.at = next;
  return cells;
};

/** Consecutive words of one kind, each with the word before it; signs other than `stops` may separate them. */
const readRow = <Kind extends 'runway' | 'label'>(cursor: Cursor, kind: Kind, stops: string) => {
  const row: [token: Extract<DistanceToken, { t: Kind }>, before: DistanceToken | undefined][] = [];
  for (let next = cursor.at; next < cursor.tokens.length; next += 1) {
    const token = cursor.tokens[next];
    if (token?.t === kind) {
      row.push([token as Extract<DistanceToken, { t: Kind }>, cursor.tokens[next - 1]]);
      cursor.at = next + 1;
    } else if (token?.t !== 'join' || stops.includes(token.sign)) break;
  }
  return row;
};

/** "RWY 15/33 AND 07/25"; a bare "09" counts where a runway is expected. Without a comma or "AND" a new list begins. */
export const readRunways = (cursor: Cursor): string[] => {
  let names: string[] = [];
  for (const [token, before] of readRow(cursor, 'runway', '():')) {
    if (before?.t !== 'join') names = [];
    names.push(...token.names);
  }
  return [...new Set(names)];
};

/** Labels in a row: "TORA/TODA/ASDA", "TORA TODA ASDA LDA", "TORA = TODA = LDA". */
export const readLabels = (cursor: Cursor): Label[] => readRow(cursor, 'label', '()').map(([label]) => label);
