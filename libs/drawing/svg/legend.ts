import { shownVerdicts, verdictWords } from '#domain/performance/verdict.ts';
import type { ShownVerdict } from '#domain/performance/verdict.ts';
import { displacedPart, endOf, hasPavementBehind, page, scaleOf } from './layout.ts';
import { arrows } from './runway.ts';
import type { Part } from './runway.ts';
import type { LandingScene } from './scene.ts';
import { label, line, rect, sign } from './shapes.ts';
import { tableVerdicts } from './tables.ts';
import { textWidth } from './text.ts';

export interface LegendItem {
  /** Draws the mark in a box of 34 by 24 px. */
  mark: (x: number, y: number) => string;
  text: string;
}

const markWidth = 34;
const lineHeight = 34;

export const box =
  (cls: string) =>
  (x: number, y: number): string =>
    rect(x, y + 4, 30, 16, cls);

export const upright =
  (cls: string) =>
  (x: number, y: number): string =>
    line(x + 15, y, x + 15, y + 24, cls);

export const shown = (condition: boolean, item: LegendItem): LegendItem[] => (condition ? [item] : []);

/** Signs of these verdicts. */
export const verdictItems = (used: ReadonlySet<ShownVerdict>): LegendItem[] =>
  shownVerdicts
    .filter((verdict) => used.has(verdict))
    .map((verdict) => ({
      mark: (x: number, y: number): string => sign(verdict, x + 3, y),
      text: verdictWords[verdict].text,
    }));

export const displacedItem: LegendItem = {
  mark: (x, y) =>
    rect(x, y + 2, 30, 20, 'asphalt') + `<path class="arrow" d="M${x + 6} ${y + 12} h18 m-7 -6 l7 6 l-7 6"/>`,
  text: 'displaced',
};
export const closedItem: LegendItem = { mark: box('closed'), text: 'closed (NOTAM)' };

/** Items for the signs and colours in this drawing. */
export const legendItems = (scene: LandingScene): LegendItem[] => {
  const { runway, rows, missing, exits } = scene;
  const used = new Set([
    ...rows.map((row) => row.verdict),
    ...missing.map((mode) => mode.verdict),
    ...tableVerdicts(scene.tables),
  ]);
  const scale = scaleOf(scene);
  const { fromM, toM } = displacedPart(scene);
  const onRunway = exits.filter((exit) => exit.distanceM > 0 && exit.distanceM < endOf(scene));
  return [
    ...verdictItems(used),
    { mark: box('air'), text: 'airborne' },
    { mark: box('good'), text: 'on the ground' },
    ...shown(
      rows.some((row) => row.tailM !== null && row.solidM < scale.limitM),
      { mark: box('tail goodtail'), text: 'factored' },
    ),
    ...shown(
      rows.some((row) => row.bandM !== null && row.bandM[1] <= scale.limitM),
      {
        mark: (x, y) => `<path class="band" d="M${x + 2} ${y + 6} v12 m0 -6 h26 m0 -6 v12"/>`,
        text: 'accuracy',
      },
    ),
    { mark: upright('threshold'), text: 'threshold' },
    { mark: upright('lda'), text: 'end of LDA' },
    ...shown(hasPavementBehind(scene, scale.x), { mark: upright('pavement'), text: 'end of runway' }),
    ...shown(arrows(scale.x(fromM), scale.x(toM), 0) !== '', displacedItem),
    ...shown(runway.closed.length > 0, closedItem),
    ...shown(
      onRunway.some((exit) => exit.isHighSpeed),
      {
        mark: (x, y) => line(x + 20, y + 4, x + 12, y + 20, 'exit exitbar'),
        text: 'rapid exit',
      },
    ),
    ...shown(
      onRunway.some((exit) => !exit.isHighSpeed),
      {
        mark: (x, y) => line(x + 15, y + 4, x + 15, y + 20, 'exit exitbar'),
        text: 'exit',
      },
    ),
    {
      mark: (x, y) => `<path class="touchdown" d="M${x + 15} ${y + 3} l-9 16 h18 z"/>`,
      text: 'touchdown',
    },
  ];
};

export const legendPart = (items: readonly LegendItem[], top: number): Part => {
  let x: number = page.left;
  let y = top;
  const svg = items.map(({ mark, text }) => {
    const width = markWidth + 4 + textWidth(text, 20) + 22;
    if (x + width - 22 > page.right) {
      x = page.left;
      y += lineHeight;
    }
    const item = mark(x, y) + label(x + markWidth + 4, y + 19, text, 20, 'soft');
    x += width;
    return item;
  });
  return { svg: svg.join(''), height: y + lineHeight - top + 12 };
};
