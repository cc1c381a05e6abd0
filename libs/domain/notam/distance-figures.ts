import type { DistanceToken, Unit } from './distance-tokens.ts';
import { metresPerFoot } from '../users/units.ts';
import { metresOf } from './text.ts';
import type { DistanceKind } from './types.ts';

export type Label = Extract<DistanceToken, { t: 'L' }>;
export type Value = Extract<DistanceToken, { t: 'V' }>;

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

/** "2500/2600/2200M", "3000M CHANGED TO 2700M", "2700M INSTEAD OF 3000M"; null: unclear which figures apply. */
export const valuesIn = (tokens: readonly DistanceToken[]): Value[] | null => {
  let values: Value[] = [];
  let former: Value[] | null = null;
  let isFormer = false;
  let isAmbiguous = false;
  for (const token of tokens) {
    const list: Value[] = isFormer ? (former ?? []) : values;
    const last = list.at(-1);
    if (token.t === 'V') {
      if (isFormer) (former ??= []).push(token);
      else if (!last || !isSameLength(last, token)) values.push(token);
    } else if (token.t === 'K') {
      const read = last && withOtherUnit(last, token.value);
      if (!read) return null;
      list[list.length - 1] = read;
    } else if (token.t === 'b') {
      isAmbiguous ||= former !== null && values.length > 0;
      if (values.length > 0) former = values;
      values = [];
      isFormer = false;
    } else if (token.t === 'o') isFormer = true;
  }
  return isAmbiguous || (former !== null && former.length !== values.length) ? null : withUnits(values);
};
