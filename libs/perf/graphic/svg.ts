import { alternativeText, distanceText, inUnit, marginText } from './scene.ts';
import type { LandingScene, SceneRow } from './scene.ts';
import { patterns, styleSheet } from './style.ts';

const width = 1200;
const left = 216;
const right = 1010;
const stripTop = 176;
const stripHeight = 64;
const rowTop = 300;
const rowHeight = 46;
const barHeight = 22;
/** Longer labels would leave the page. */
const maxLabel = 20;

type X = (metres: number) => number;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const n = (value: number): string => value.toFixed(1).replace(/\.0$/, '');

const rect = (x: number, y: number, w: number, h: number, cls: string, extra = ''): string =>
  w <= 0 ? '' : `<rect class="${cls}" x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}"${extra}/>`;

const line = (x1: number, y1: number, x2: number, y2: number, cls: string): string =>
  `<line class="${cls}" x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}"/>`;

const label = (x: number, y: number, text: string, cls: string, anchor = 'start'): string =>
  `<text class="${cls}" x="${n(x)}" y="${n(y)}" text-anchor="${anchor}">${escaped(text)}</text>`;

/** Pavement from the start of the displaced part to its end; zero is the threshold in use. */
const startOf = ({ runway }: LandingScene): number => -(runway.displacedM + runway.shortenStartM);
const endOf = ({ runway }: LandingScene): number => runway.ldaM + runway.shortenEndM + runway.beyondM;

const strip = (scene: LandingScene, x: X): string => {
  const { runway } = scene;
  const start = startOf(scene);
  const end = endOf(scene);
  const middle = stripTop + stripHeight / 2;
  const keys = Array.from({ length: 8 }, (_, i) => rect(x(0) + 5, stripTop + 6 + i * 6.8, 16, 4, 'mark'));
  const aimingM = Math.min(400, runway.ldaM * 0.15);
  const closed = [
    rect(x(-runway.shortenStartM), stripTop, x(0) - x(-runway.shortenStartM), stripHeight, 'closed'),
    rect(
      x(runway.ldaM),
      stripTop,
      x(runway.ldaM + runway.shortenEndM) - x(runway.ldaM),
      stripHeight,
      'closed',
    ),
  ];
  const displaced = x(-runway.shortenStartM) - x(start);
  const arrows = Array.from({ length: Math.floor(displaced / 34) }, (_, i) => {
    const at = x(start) + 10 + i * 34;
    return `<path class="arrow" d="M${n(at)} ${middle} h18 m-7 -6 l7 6 l-7 6"/>`;
  });
  return [
    rect(x(start), stripTop, x(end) - x(start), stripHeight, 'asphalt'),
    line(x(0) + 70, middle, x(runway.ldaM) - 8, middle, 'centre'),
    ...keys,
    `<text class="ident" text-anchor="middle" transform="translate(${n(x(0) + 46)} ${middle}) rotate(90)" dy="7">${escaped(runway.ident)}</text>`,
    rect(x(aimingM), stripTop + 14, 26, 9, 'mark'),
    rect(x(aimingM), stripTop + stripHeight - 23, 26, 9, 'mark'),
    ...arrows,
    ...closed,
  ].join('');
};

/** Names that would overlap move to a second line. */
const exits = (scene: LandingScene, x: X): string => {
  let lastX = -Infinity;
  let raised = false;
  return [...scene.exits]
    .filter((exit) => exit.distanceM > 0 && exit.distanceM < endOf(scene))
    .sort((a, b) => a.distanceM - b.distanceM)
    .map((exit) => {
      const at = x(exit.distanceM);
      raised = at - lastX < 34 ? !raised : false;
      lastX = at;
      const lean = exit.isHighSpeed ? 12 : 0;
      const top = stripTop - 20;
      return (
        line(at, stripTop, at + lean, top, 'exit') +
        label(at + lean, top - (raised ? 22 : 5), exit.name, 'exitname', 'middle')
      );
    })
    .join('');
};

const colourOf = (row: SceneRow, scene: LandingScene): string => {
  if (row.marginM < 0) return 'bad';
  return row.marginM < Math.max(100, scene.runway.ldaM * 0.05) ? 'tight' : 'good';
};

const bar = (scene: LandingScene, x: X, row: SceneRow, index: number): string => {
  const y = rowTop + index * rowHeight;
  const colour = colourOf(row, scene);
  // Bars that extend beyond the drawing end at its edge with an arrow; the figure gives the distance.
  const edge = right + 22;
  const clip = (metres: number) => Math.min(x(metres), edge);
  const solidEnd = clip(row.solidM);
  const counts = row.tailM ?? row.solidM;
  const isCut = x(counts) > edge;
  return [
    label(left - 14, y + 17, row.label.slice(0, maxLabel), row.isChosen ? 'mode chosen' : 'mode', 'end'),
    rect(x(0), y, clip(Math.min(scene.touchdownM, row.solidM)) - x(0), barHeight, 'air'),
    rect(clip(scene.touchdownM), y, solidEnd - clip(scene.touchdownM), barHeight, colour),
    row.tailM === null ? '' : rect(solidEnd, y, clip(row.tailM) - solidEnd, barHeight, `tail ${colour}line`),
    isCut
      ? `<path class="${colour}" d="M${n(edge)} ${y} l14 ${barHeight / 2} l-14 ${barHeight / 2} z"/>`
      : '',
    label(width - 20, y + 11, distanceText(counts, scene.unit), 'figure', 'end'),
    label(width - 20, y + 29, marginText(row.marginM, scene.unit), `margin ${colour}text`, 'end'),
  ].join('');
};

/** A step of 100, 200 or 500 times a power of ten that gives four to ten ticks. */
const tickStep = (span: number): number => {
  const raw = span / 8;
  const power = 10 ** Math.floor(Math.log10(raw));
  return ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10) * power;
};

const axis = (scene: LandingScene, x: X, bottom: number): string => {
  const metresPerUnit = scene.unit === 'm' ? 1 : 0.3048;
  const last = inUnit(endOf(scene), scene.unit);
  const step = tickStep(last);
  const ticks = Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step);
  return [
    line(x(0), bottom, x(endOf(scene)), bottom, 'axis'),
    ...ticks.map((tick) => {
      const at = x(tick * metresPerUnit);
      return (
        line(at, bottom, at, bottom + 7, 'axis') + label(at, bottom + 25, String(tick), 'tick', 'middle')
      );
    }),
    label(x(endOf(scene)) + 12, bottom + 5, scene.unit, 'tick'),
  ].join('');
};

const legend = (scene: LandingScene, y: number): string => {
  const hasTail = scene.rows.some((row) => row.tailM !== null);
  const items: [string, string][] = [
    ['air', 'airborne'],
    ['good', 'braking'],
    ...(hasTail ? ([['tail goodline', 'factored']] as [string, string][]) : []),
    ...(scene.runway.shortenStartM + scene.runway.shortenEndM > 0
      ? ([['closed', 'NOTAM']] as [string, string][])
      : []),
  ];
  return items
    .map(
      ([cls, text], i) =>
        rect(left + i * 170, y - 13, 30, 15, cls) + label(left + 38 + i * 170, y, text, 'tick'),
    )
    .join('');
};

/**
 * The landing drawing as SVG text: no script, no outside reference, light by default and dark where the viewer
 * prefers it.
 */
export const landingSvg = (scene: LandingScene): string => {
  const start = startOf(scene);
  const span = endOf(scene) - start;
  const x: X = (metres) => left + ((metres - start) / span) * (right - left);
  const bottom = rowTop + scene.rows.length * rowHeight + 10;
  const height = bottom + 118;
  const ldaX = x(scene.runway.ldaM);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t d">`,
    `<title id="t">${escaped(scene.title)}</title><desc id="d">${escaped(alternativeText(scene))}</desc>`,
    `<style>${styleSheet}</style><defs>${patterns}</defs>`,
    rect(0, 0, width, height, 'page'),
    label(28, 50, scene.title, 'title'),
    label(28, 82, scene.subtitle, 'subtitle'),
    label(width - 20, 50, `LDA ${distanceText(scene.runway.ldaM, scene.unit)}`, 'title', 'end'),
    exits(scene, x),
    strip(scene, x),
    line(x(0), stripTop - 8, x(0), bottom, 'threshold'),
    line(ldaX, stripTop - 8, ldaX, bottom, 'lda'),
    `<path class="touchdown" d="M${n(x(scene.touchdownM))} ${stripTop + stripHeight + 4} l-9 16 h18 z"/>`,
    label(
      x(scene.touchdownM) + 14,
      stripTop + stripHeight + 20,
      `touchdown ${distanceText(scene.touchdownM, scene.unit)}`,
      'tick',
    ),
    ...scene.rows.map((row, i) => bar(scene, x, row, i)),
    axis(scene, x, bottom),
    legend(scene, height - 46),
    label(width - 20, height - 18, scene.notes.join(' '), 'tick', 'end'),
    '</svg>',
  ].join('\n');
};
