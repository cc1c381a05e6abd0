import { spread } from './layout.ts';
import type { Scale } from './layout.ts';
import { arrows, closedParts, dimension, paved, stripHeight } from './runway.ts';
import type { Part } from './runway.ts';
import { distanceText } from './scene.ts';
import { clearwayM, stopwayM } from './takeoff-scene.ts';
import type { TakeoffScene } from './takeoff-scene.ts';
import { label, line, n, rect } from './shapes.ts';
import { shortened, textWidth } from './text.ts';

const dimensionHeight = 38;
const belowStrip = 38;

/** Where the speeds to fly are reached, and the intersection where the takeoff begins. */
const placesPart = ({ runway, columns }: TakeoffScene, scale: Scale, top: number): Part => {
  const rows = columns.find(({ isUsed }) => isUsed)?.rows ?? [];
  const [going, stopping] = rows;
  const stop = stopping?.events.at(-1);
  const marks = [...(going?.events ?? []), ...(stop ? [stop] : [])]
    .filter(({ atM }) => atM <= scale.limitM)
    .toSorted((a, b) => a.atM - b.atM);
  const places = [
    ...(runway.intersection === null ? [] : [{ name: `from ${runway.intersection}`, atM: 0 }]),
    ...marks,
  ];
  if (places.length === 0) return { svg: '', height: 0 };
  const names = places.map(({ name }) => shortened(name, 20, 200, true));
  const at = places.map(({ atM }) => scale.x(atM));
  const widths = names.map((name) => textWidth(name, 20, true));
  const centres = spread(at, widths, 12);
  const foot = top + 28;
  return {
    svg: names
      .map((name, i) => {
        const [place, centre] = [at[i] ?? 0, centres[i] ?? 0];
        return (
          label(centre, top + 20, name, 20, 'b ink', 'middle') +
          line(centre, foot, place, foot + 16, 'event leader') +
          line(place, foot + 16, place, foot + 32, 'event')
        );
      })
      .join(''),
    height: 56,
  };
};

const chevrons = (from: number, to: number, top: number): string =>
  Array.from({ length: Math.max(1, Math.floor((to - from) / 22)) }, (_, i) => {
    const at = from + 4 + i * 22;
    return `<path class="arrow" d="M${n(at)} ${top + 8} l14 ${stripHeight / 2 - 8} l-14 ${stripHeight / 2 - 8}"/>`;
  }).join('');

const pavement = (scene: TakeoffScene, { x }: Scale, top: number): string => {
  const { runway } = scene;
  const { beforeM, thresholdM, toraM, todaM, asdaM, pavementEndM } = runway;
  const [start, end] = [x(-beforeM), x(pavementEndM)];
  const keysAt = x(Math.max(-beforeM, thresholdM ?? -beforeM));
  const stopway = stopwayM(scene) > 0;
  const runwayEnd = stopway ? x(toraM) : end;
  return [
    paved([start, end], [keysAt, runwayEnd], runway.ident, top),
    thresholdM === null ? '' : arrows(start, keysAt, top + stripHeight / 2),
    stopway
      ? line(x(toraM), top, x(toraM), top + stripHeight, 'over') + chevrons(x(toraM), x(asdaM), top)
      : '',
    clearwayM(scene) > 0
      ? rect(x(toraM), top - 8, x(todaM) - x(toraM), stripHeight + 16, 'clearway', ' rx="3"')
      : '',
    closedParts(runway.closed, x, top),
  ].join('');
};

/** Marker of the brake release point. */
const release = (scene: TakeoffScene, { x }: Scale, top: number): string =>
  `<path class="touchdown" d="M${n(x(0))} ${top + 4} l-9 16 h18 z"/>` +
  label(x(0) + 15, top + 22, 'brake release', 20, 'soft');

/** The takeoff runway, with the available distances below. */
export const stripPart = (scene: TakeoffScene, scale: Scale, top: number): Part => {
  const places = placesPart(scene, scale, top);
  const stripTop = top + places.height + 8;
  const below = stripTop + stripHeight + 8;
  const { x } = scale;
  const { toraM, todaM, asdaM } = scene.runway;
  const lengths: [string, number][] = [
    ['TORA', toraM],
    ['TODA', todaM],
    ['ASDA', asdaM],
  ];
  const dimensions = lengths.map(([name, metres], i) => {
    const y = below + belowStrip + i * dimensionHeight;
    return (
      dimension(x(0), x(metres), y + 10, `${name} ${distanceText(metres, scene.unit)}`) +
      line(x(metres), y - 4, x(metres), y + 24, 'axis')
    );
  });
  return {
    svg: [
      pavement(scene, scale, stripTop),
      places.svg,
      release(scene, scale, below),
      ...dimensions,
      line(x(0), below + belowStrip - 4, x(0), below + belowStrip + 2 * dimensionHeight + 24, 'axis'),
    ].join(''),
    height: below + belowStrip + lengths.length * dimensionHeight - top + 14,
  };
};
