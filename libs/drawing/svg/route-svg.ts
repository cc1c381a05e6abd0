import type { ProfileScene } from '#domain/prints/content.ts';
import type { RouteProfile } from '#domain/weather/profile.ts';
import { barb } from './barb.ts';
import { page } from './layout.ts';
import { escaped, label, line, n, rect } from './shapes.ts';
import type { Theme } from './style.ts';
import { headPart, notesPart, stacked, svgDocument } from './svg.ts';
import { shortened, textWidth } from './text.ts';
import type { Part } from './runway.ts';

const chart = { left: 84, right: page.right - 6, height: 560 } as const;

interface Axes {
  x: (distanceNm: number) => number;
  y: (flightLevel: number) => number;
}

const axesOf = ({ distanceNm, ceiling }: RouteProfile, top: number): Axes => ({
  x: (distance) => chart.left + (distance / (distanceNm || 1)) * (chart.right - chart.left),
  y: (level) => top + chart.height * (1 - Math.min(level, ceiling) / ceiling),
});

const gridPart = ({ ceiling }: RouteProfile, { x, y }: Axes): string =>
  Array.from({ length: Math.floor(ceiling / 100) + 1 }, (_, i) => i * 100)
    .map(
      (level) =>
        line(x(0), y(level), chart.right, y(level), 'grid') +
        label(
          x(0) - 10,
          y(level) + 6,
          level === 0 ? '0' : `FL${String(level).padStart(3, '0')}`,
          18,
          'soft',
          'end',
        ),
    )
    .join('');

/** Areas from base to top; those that the route crosses are hatched. */
const hazardsPart = ({ hazards, ceiling }: RouteProfile, { x, y }: Axes): string =>
  hazards
    .toReversed()
    .map(({ text, crosses, fromNm, toNm, base, top }) => {
      const [left, width] = [x(fromNm), Math.max(3, x(toNm) - x(fromNm))];
      const [upper, lower] = [y(top ?? ceiling), y(base ?? 0)];
      const box = (cls: string, extra: string) =>
        rect(left, upper, width, Math.max(3, lower - upper), cls, extra);
      return `<g data-hazard="${escaped(text)}">${
        crosses
          ? box('tail badtail', ' fill-opacity="0.45"')
          : box('tail tight tightline', ' fill-opacity="0.16"')
      }</g>`;
    })
    .join('');

const hazardLabels = ({ hazards, ceiling }: RouteProfile, { x, y }: Axes): string =>
  hazards
    .map(({ text, crosses, fromNm, toNm, top }) => {
      const name = shortened(text, 18, Math.max(180, x(toNm) - x(fromNm)), true);
      const width = textWidth(name, 18, true) + 10;
      const left = Math.min(x(fromNm) + 2, chart.right - width);
      const upper = y(top ?? ceiling) + 2;
      return (
        rect(left, upper, width, 24, 'under') +
        label(left + 5, upper + 18, name, 18, `b ${crosses ? 'bad' : 'tight'}`)
      );
    })
    .join('');

const polyline = (points: readonly (readonly [number, number])[], cls: string): string =>
  points.length < 2
    ? ''
    : `<polyline class="${cls}" fill="none" points="${points.map(([px, py]) => `${n(px)},${n(py)}`).join(' ')}"/>`;

const freezingPart = ({ freezing }: RouteProfile, { x, y }: Axes): string => {
  const points = freezing.map(({ distanceNm, ft }) => [x(distanceNm), y(ft / 100)] as const);
  const middle = points[Math.floor(points.length / 2)];
  if (!middle) return '';
  return (
    polyline(points, 'goodline dim threshold') +
    rect(middle[0] - 24, middle[1] + 6, 48, 24, 'under') +
    label(middle[0], middle[1] + 25, '0 °C', 18, 'b good', 'middle')
  );
};

const windsPart = ({ winds }: RouteProfile, { x, y }: Axes): string =>
  winds
    .map(
      (wind) =>
        `<g data-wind="${wind.directionDeg}/${wind.speedKt}" data-level="${wind.flightLevel}" data-time="${wind.time}" ` +
        `data-latitude="${wind.latitude}" data-longitude="${wind.longitude}">` +
        `${barb(x(wind.distanceNm), y(wind.flightLevel), { ...wind, isSouthern: wind.latitude < 0 })}</g>`,
    )
    .join('');

/** Names below the axis where they have room; departure and destination always. */
const fixesPart = ({ track, distanceNm }: RouteProfile, { x, y }: Axes): string => {
  const [first, last] = [track[0], track.at(-1)];
  const ends = [first, last].map((point) => textWidth(point?.ident ?? '', 18));
  const free = [x(0) + (ends[0] ?? 0) + 14, x(distanceNm) - (ends[1] ?? 0) - 14] as const;
  let from = free[0];
  return track
    .map((point, i) => {
      const at = x(point.distanceNm);
      const tick = line(at, y(0), at, y(0) + 7, 'axis');
      const name = point.ident ?? '';
      const width = textWidth(name, 18);
      if (i === 0) return tick + label(at, y(0) + 28, name, 18, 'b ink');
      if (i === track.length - 1) return tick + label(at, y(0) + 28, name, 18, 'b ink', 'end');
      if (name === '' || at - width / 2 < from || at + width / 2 > free[1]) return tick;
      from = at + width / 2 + 12;
      return tick + label(at, y(0) + 28, name, 18, 'soft', 'middle');
    })
    .join('');
};

const chartPart = ({ profile }: ProfileScene, top: number): Part => {
  const axes = axesOf(profile, top);
  const { x, y } = axes;
  const flight = polyline(
    profile.track.map(({ distanceNm, flightLevel }) => [x(distanceNm), y(flightLevel)] as const),
    'event band',
  );
  const svg = [
    gridPart(profile, axes),
    hazardsPart(profile, axes),
    freezingPart(profile, axes),
    flight,
    windsPart(profile, axes),
    hazardLabels(profile, axes),
    line(chart.left, y(0), chart.right, y(0), 'axis'),
    fixesPart(profile, axes),
  ].join('\n');
  return { svg, height: chart.height + 48 };
};

/** The profile as text. */
const alternativeOf = ({ facts, profile: { hazards, freezing, winds } }: ProfileScene): string =>
  [
    ...facts.map(({ name, value }) => `${name}: ${value}.`),
    ...hazards.map(
      ({ text, crosses, base, top }) =>
        `${text} ${base === null ? 'from the surface' : `from FL${Math.round(base)}`} ${top === null ? 'up' : `to FL${Math.round(top)}`}: ${crosses ? 'crossed' : 'not crossed'}.`,
    ),
    ...(freezing.length > 0
      ? [
          `Freezing level from ${Math.min(...freezing.map(({ ft }) => ft))} to ${Math.max(...freezing.map(({ ft }) => ft))} ft.`,
        ]
      : []),
    winds.length > 0
      ? `Strongest wind: ${Math.max(...winds.map(({ speedKt }) => speedKt))} kt.`
      : 'No winds.',
  ].join(' ');

/** Vertical profile of a route: wind barbs by level, freezing level, warnings as areas, and the flight path. */
export const routeSvg = (scene: ProfileScene, theme: Theme): string => {
  const body = stacked(
    [() => headPart(scene), (y) => chartPart(scene, y + 16), (y) => notesPart(scene, y + 16)],
    0,
  );
  return svgDocument(
    { title: scene.title, alternative: alternativeOf(scene), theme },
    { ...body, height: body.height + 16 },
  );
};
