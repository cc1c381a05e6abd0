import { displacedPart, endOf, exitFont, exitLabels, page, startOf } from './layout.ts';
import type { Scale } from './layout.ts';
import { distanceText } from './scene.ts';
import type { LandingScene } from './scene.ts';
import { escaped, label, line, n, rect } from './shapes.ts';
import { textWidth } from './text.ts';

export interface Part {
  svg: string;
  height: number;
}

export const stripHeight = 60;
/** Height between exit labels and runway. */
const leaderHeight = 26;
const belowStrip = 98;

const exitsPart = (scene: LandingScene, scale: Scale, top: number): Part => {
  const { labels, isTurned, height } = exitLabels(scene, scale);
  if (labels.length === 0) return { svg: '', height: 0 };
  const foot = top + height;
  const edge = foot + leaderHeight;
  const svg = labels.map(({ text, at, x, isHighSpeed }) => {
    const name = isTurned
      ? `<text class="s${exitFont} b ink" transform="translate(${n(x + 7)} ${n(foot - 4)}) rotate(-90)">${escaped(text)}</text>`
      : label(x, foot - 6, text, exitFont, 'b ink', 'middle');
    const lean = isHighSpeed ? 8 : 0;
    return (
      name + line(x, foot, at + lean, edge - 8, 'exit') + line(at + lean, edge - 9, at, edge, 'exit exitbar')
    );
  });
  return { svg: svg.join(''), height: height + leaderHeight };
};

/** As many white arrows on the pavement as fit between two points. */
export const arrows = (from: number, to: number, middle: number): string =>
  Array.from({ length: Math.max(0, Math.floor((to - from + 6) / 34)) }, (_, i) => {
    const at = from + 5 + i * 34;
    return `<path class="arrow" d="M${n(at)} ${middle} h18 m-7 -6 l7 6 l-7 6"/>`;
  }).join('');

/** Pavement between two points with the markings of a runway from `threshold` to `runwayEnd`. */
export const paved = (
  [start, end]: readonly [number, number],
  [threshold, runwayEnd]: readonly [number, number],
  ident: string,
  top: number,
): string => {
  const middle = top + stripHeight / 2;
  // 25R for `25R.N12`, a runway with its NOTAM.
  const painted = ident.split('.')[0] ?? ident;
  return [
    rect(start, top, end - start, stripHeight, 'asphalt'),
    runwayEnd - threshold > 120 ? line(threshold + 58, middle, runwayEnd - 8, middle, 'centre') : '',
    ...Array.from({ length: 8 }, (_, i) => rect(threshold + 4, top + 5 + i * 6.5, 14, 3.8, 'mark')),
    `<text class="s22 b ident" text-anchor="middle" transform="translate(${n(threshold + 38)} ${middle}) rotate(90)" dy="7">${escaped(painted)}</text>`,
  ].join('');
};

/** Parts closed by NOTAM. */
export const closedParts = (closed: LandingScene['runway']['closed'], x: Scale['x'], top: number): string =>
  closed.map(({ fromM, toM }) => rect(x(fromM), top, x(toM) - x(fromM), stripHeight, 'closed')).join('');

const pavement = (scene: LandingScene, { x }: Scale, top: number): string => {
  const { runway } = scene;
  const aimingM = Math.min(400, runway.ldaM * 0.15);
  const { fromM, toM } = displacedPart(scene);
  return [
    paved([x(startOf(scene)), x(endOf(scene))], [x(0), x(runway.ldaM)], runway.ident, top),
    rect(x(aimingM), top + 12, 22, 9, 'mark'),
    rect(x(aimingM), top + stripHeight - 21, 22, 9, 'mark'),
    arrows(x(fromM), x(toM), top + stripHeight / 2),
    closedParts(runway.closed, x, top),
  ].join('');
};

/** A dimension line with its figure, such as `LDA 3,355 m`. */
export const dimension = (from: number, to: number, y: number, figure: string): string => {
  const width = textWidth(figure, 22, true) + 24;
  const centre = Math.min(page.right - width / 2, (from + to) / 2);
  const head = (px: number, direction: 1 | -1): string =>
    `<path class="ldahead" d="M${n(px)} ${y} l${9 * direction} -6 v12 z"/>`;
  return [
    line(from, y, to, y, 'dim lda'),
    head(from, 1),
    head(to, -1),
    rect(centre - width / 2, y - 14, width, 28, 'under'),
    label(centre, y + 8, figure, 22, 'b ink', 'middle'),
  ].join('');
};

/** Dimension lines of touchdown and landing distance available. */
const dimensions = (scene: LandingScene, { x }: Scale, top: number): string => {
  const { ldaM } = scene.runway;
  const touchdown = `touchdown ${distanceText(scene.touchdownM, scene.unit)}`;
  const at = x(scene.touchdownM);
  const isRight = at + 16 + textWidth(touchdown, 20) < page.right;
  return [
    `<path class="touchdown" d="M${n(at)} ${top + 4} l-9 16 h18 z"/>`,
    label(isRight ? at + 15 : at - 15, top + 21, touchdown, 20, 'soft', isRight ? 'start' : 'end'),
    dimension(x(0), x(ldaM), top + 58, `LDA ${distanceText(ldaM, scene.unit)}`),
  ].join('');
};

/** Threshold and end of the landing distance available, leaving room for the touchdown label. */
const ends = (scene: LandingScene, { x }: Scale, stripTop: number): string => {
  const below = stripTop + stripHeight;
  return (
    [
      [x(0), 'threshold'],
      [x(scene.runway.ldaM), 'lda'],
    ] as const
  )
    .map(
      ([at, cls]) =>
        line(at, stripTop - 6, at, below + 4, cls) + line(at, below + 36, at, below + belowStrip - 22, cls),
    )
    .join('');
};

/** The runway with exits above, touchdown and landing distance available below. */
export const runwayPart = (scene: LandingScene, scale: Scale, top: number): Part => {
  const exits = exitsPart(scene, scale, top);
  const stripTop = top + exits.height;
  return {
    svg: [
      exits.svg,
      pavement(scene, scale, stripTop),
      dimensions(scene, scale, stripTop + stripHeight),
      ends(scene, scale, stripTop),
    ].join(''),
    height: exits.height + stripHeight + belowStrip,
  };
};
