import type { DistanceToken, Unit } from './distance-tokens.ts';
import { metresOf } from './length.ts';
import type { DistanceKind } from './types.ts';

export type Label = Extract<DistanceToken, { t: 'label' }>;
export type Value = Extract<DistanceToken, { t: 'value' }>;

/** One figure with its label and runway. */
export interface Figure {
  runway: string;
  kind: DistanceKind;
  value: Value;
}

/**
 * Values and names are paired by their number, or not at all: one value counts for every name, several values belong
 * to the labels or to the runways in order. Null: the numbers do not fit, or fit twice.
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
export const isSameLength = (a: Value, b: Value): boolean =>
  a.unit !== undefined &&
  b.unit !== undefined &&
  a.unit !== b.unit &&
  Math.abs(inMetres(a, false) - inMetres(b, false)) <= 0.015 * inMetres(a, false);

const feetPerMetre = 3.28084;
/** Steepest slope that a table gives, per cent. */
const maxSlope = 10;

/**
 * A figure with the one in brackets behind it: its length in the other unit, which names both units, or the slope of the
 * obstacles in per cent, which changes nothing. Null: neither.
 */
export const withOtherUnit = (figure: Value, bracket: number): Value | null => {
  if (bracket <= maxSlope) return figure;
  const isOther = (metres: number, feet: number): boolean => Math.abs(metres - feet / feetPerMetre) <= 2;
  if (figure.unit !== 'FT' && isOther(figure.value, bracket)) return { ...figure, unit: 'M' };
  return figure.unit !== 'M' && isOther(bracket, figure.value) ? { ...figure, unit: 'FT' } : null;
};

/** A shared unit follows the last value: "2500/2600/2200M". */
export const withUnits = (values: readonly Value[]): Value[] => {
  let unit: Unit | undefined;
  return values
    .toReversed()
    .map((value) => ({ ...value, unit: (unit = value.unit ?? unit) }))
    .toReversed();
};
