import { line, n } from './shapes.ts';

const length = 30;
const step = 5.5;

/** Pennants (50 kt), full feathers (10 kt) and half feathers (5 kt) for a speed rounded to 5 kt. */
export const feathersOf = (speedKt: number): { fifties: number; tens: number; fives: number } => {
  const rounded = Math.round(speedKt / 5) * 5;
  return {
    fifties: Math.floor(rounded / 50),
    tens: Math.floor((rounded % 50) / 10),
    fives: rounded % 10 === 5 ? 1 : 0,
  };
};

/**
 * A wind barb at a station, as on weather charts: the staff points into the wind (north is up), with feathers on the
 * low-pressure side, which changes with the hemisphere.
 */
export const barb = (
  x: number,
  y: number,
  { directionDeg, speedKt, isSouthern }: { directionDeg: number; speedKt: number; isSouthern: boolean },
): string => {
  const { fifties, tens, fives } = feathersOf(speedKt);
  if (fifties + tens + fives === 0)
    return `<circle class="leader event" fill="none" cx="${n(x)}" cy="${n(y)}" r="5"/>`;
  const marks: string[] = [];
  let at = -length;
  for (let i = 0; i < fifties; i += 1, at += step + 2)
    marks.push(`<path class="ink" d="M0 ${n(at)} L13 ${n(at + 1)} L0 ${n(at + step + 1)} z"/>`);
  for (let i = 0; i < tens; i += 1, at += step) marks.push(line(0, at, 13, at - 4, 'event leader'));
  // A lone half feather is moved from the end, where it would look like a full one.
  if (fives > 0 && fifties + tens === 0) at += step;
  if (fives > 0) marks.push(line(0, at, 7, at - 2, 'event leader'));
  const mirror = isSouthern ? ' scale(-1 1)' : '';
  return (
    `<g transform="translate(${n(x)} ${n(y)}) rotate(${n(directionDeg)})${mirror}">` +
    `${line(0, 0, 0, -length, 'event leader')}<circle class="ink" r="2"/>${marks.join('')}</g>`
  );
};
