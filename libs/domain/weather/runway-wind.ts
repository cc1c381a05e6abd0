import { z } from 'zod';
import type { WindGroup } from './groups.ts';

const wholeSchema = z.int().nullable();
/** Knots; null where the report has no value. */
export const runwayWindShape = {
  windDir: wholeSchema,
  isVariable: z
    .boolean()
    .describe('true: the wind has no direction; its full speed is taken both as crosswind and as tailwind'),
  windSpeed: wholeSchema,
  gust: wholeSchema,
  headwind: wholeSchema,
  gustHeadwind: wholeSchema,
  crosswindDir: z.enum(['L', 'R']).nullable(),
  crosswindSpeed: wholeSchema,
  vrefAdd: wholeSchema,
};
const runwayWindSchema = z.strictObject(runwayWindShape);
type RunwayWind = z.output<typeof runwayWindSchema>;

/**
 * Weather answers do not know the aircraft, so the additive is limited to the range that the performance input accepts.
 */
export const leastVrefAddKt = 5;
const mostVrefAddKt = 20;

const noWind: RunwayWind = {
  windDir: null,
  isVariable: false,
  windSpeed: null,
  gust: null,
  headwind: null,
  gustHeadwind: null,
  crosswindDir: null,
  crosswindSpeed: null,
  vrefAdd: null,
};

/**
 * Wind components in whole knots for the true bearing of a runway (METAR winds are true), computed from unrounded knots
 * and rounded once. A variable wind counts in full as both tailwind and crosswind, the worst case; without a speed all
 * are null, without a direction only the speed is known.
 */
export const runwayWind = (wind: WindGroup | null, trueBearingDeg: number): RunwayWind => {
  if (!wind || wind.speedKt === null) return noWind;
  const { speedKt, gustKt, directionDeg, variable } = wind;
  const speeds = { windSpeed: knots(speedKt), gust: gustKt === null ? null : knots(gustKt) };
  if (variable)
    return {
      ...noWind,
      ...speeds,
      isVariable: true,
      headwind: knots(-speedKt),
      gustHeadwind: gustKt === null ? null : knots(-gustKt),
      crosswindSpeed: knots(speedKt),
      vrefAdd: vrefAdd(-speedKt, speedKt, gustKt),
    };
  if (directionDeg === null) return { ...noWind, ...speeds };
  const angle = ((directionDeg - trueBearingDeg) * Math.PI) / 180;
  const headwindKt = speedKt * Math.cos(angle);
  const crosswindKt = knots(speedKt * Math.sin(angle));
  return {
    windDir: directionDeg,
    isVariable: false,
    ...speeds,
    headwind: knots(headwindKt),
    gustHeadwind: gustKt === null ? null : knots(gustKt * Math.cos(angle)),
    crosswindDir: crosswindKt > 0 ? 'R' : crosswindKt < 0 ? 'L' : null,
    crosswindSpeed: Math.abs(crosswindKt),
    vrefAdd: vrefAdd(headwindKt, speedKt, gustKt),
  };
};

/**
 * Knots to add to Vref: half the steady headwind plus the full gust increment (also in a pure crosswind), between 5 and
 * 20; 5 with a tailwind.
 */
export const vrefAdd = (headwindKt: number, speedKt: number, gustKt: number | null): number => {
  if (knots(headwindKt) < 0) return leastVrefAddKt;
  const gustIncrementKt = Math.max(0, (gustKt ?? speedKt) - speedKt);
  const additiveKt = Math.round(Math.max(0, headwindKt) / 2 + gustIncrementKt);
  return Math.min(mostVrefAddKt, Math.max(leastVrefAddKt, additiveKt));
};

/** Rounds to whole knots symmetrically about zero, never to minus zero. */
const knots = (value: number): number => {
  const rounded = Math.sign(value) * Math.round(Math.abs(value));
  return rounded === 0 ? 0 : rounded;
};

/**
 * Key of a runway in the answer: lower case, two digits (`07l`), or `08t` where designators are true; null for other
 * text.
 */
export const runwayKey = (id: string): string | null => {
  const m = /^(\d{1,2})([LCR]?T?)$/i.exec(id.trim());
  if (!m) return null;
  return `${(m[1] ?? '').padStart(2, '0')}${(m[2] ?? '').toLowerCase()}`;
};
