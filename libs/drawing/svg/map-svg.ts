import type { MapScene } from '#domain/prints/content.ts';
import { mapSize } from '#domain/prints/map.ts';
import { page } from './layout.ts';
import type { Part } from './runway.ts';
import { label, n, rect } from './shapes.ts';
import type { Theme } from './style.ts';
import { headPart, notesPart, stacked, svgDocument } from './svg.ts';
import { textWidth } from './text.ts';

const pathOf = (ring: readonly number[]): string =>
  `M${Array.from({ length: ring.length / 2 }, (_, i) => `${n(ring[2 * i] ?? 0)} ${n(ring[2 * i + 1] ?? 0)}`).join('L')}Z`;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const meet = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Names that have room beside their points; departure and destination first. */
const names = (points: MapScene['points']): string => {
  const taken: Box[] = points.map(({ x, y }) => ({ x: x - 3, y: y - 3, width: 6, height: 6 }));
  return points
    .toSorted((a, b) => Number(b.isEnd) - Number(a.isEnd))
    .map(({ x, y, ident, isEnd }) => {
      if (ident === null) return '';
      const width = textWidth(ident, 18, isEnd) + 6;
      const places = [
        { x: x + 7, y: y - 11 },
        { x: x - 7 - width, y: y - 11 },
        { x: x - width / 2, y: y - 30 },
        { x: x - width / 2, y: y + 8 },
        { x: x + 6, y: y + 4 },
        { x: x - 6 - width, y: y - 26 },
        { x: x + 6, y: y - 26 },
        { x: x - 6 - width, y: y + 4 },
      ].map((at) => ({ ...at, width, height: 22 }));
      const inside = ({ x: left, y: top }: Box) =>
        left > 2 && top > 2 && left + width < mapSize.width - 2 && top + 22 < mapSize.height - 2;
      const box = places.find((each) => inside(each) && !taken.some((other) => meet(each, other)));
      if (!box) return '';
      taken.push(box);
      return (
        rect(box.x, box.y, box.width, box.height, 'under', ' fill-opacity="0.72"') +
        label(box.x + 3, box.y + 17, ident, 18, isEnd ? 'b ink' : 'ink')
      );
    })
    .join('');
};

const mapPart = ({ land, route, points }: MapScene, top: number): Part => {
  const { width, height } = mapSize;
  const flown = Array.from(
    { length: route.length / 2 },
    (_, i) => `${n(route[2 * i] ?? 0)},${n(route[2 * i + 1] ?? 0)}`,
  );
  const svg = [
    // Clips everything outside.
    `<svg x="${page.left}" y="${n(top)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    rect(0, 0, width, height, 'air'),
    `<path class="panel grid" fill-rule="evenodd" d="${land.map(pathOf).join('')}"/>`,
    `<polyline class="event band" points="${flown.join(' ')}"/>`,
    ...points.map(
      ({ x, y, isEnd }) => `<circle class="ink" cx="${n(x)}" cy="${n(y)}" r="${isEnd ? 6 : 3.5}"/>`,
    ),
    names(points),
    '</svg>',
  ];
  return { svg: svg.join('\n'), height };
};

/** A map of the route with the land around it. */
export const mapSvg = (scene: MapScene, theme: Theme): string => {
  const body = stacked(
    [() => headPart(scene), (y) => mapPart(scene, y + 8), (y) => notesPart(scene, y + 12)],
    0,
  );
  const idents = scene.points.flatMap(({ ident }) => (ident === null ? [] : [ident]));
  const alternative = [
    ...scene.facts.map(({ name, value }) => `${name}: ${value}.`),
    `Points: ${idents.join(', ')}.`,
  ].join(' ');
  return svgDocument({ title: scene.title, alternative, theme }, { ...body, height: body.height + 16 });
};
