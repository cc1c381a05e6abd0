import { verdictWords } from '#domain/performance/verdict.ts';
import { page, spread } from './layout.ts';
import type { Scale } from './layout.ts';
import { axis, barHeight, barMark, barOffset, rowHeight, rowTexts } from './rows.ts';
import type { Part } from './runway.ts';
import type { TakeoffColumnScene, TakeoffRow, TakeoffScene } from './takeoff-scene.ts';
import { label, line, rect, sign, toneOf } from './shapes.ts';
import { shortened, textWidth } from './text.ts';

const panelGap = 20;
const panelHeight = 166;
const eventHeight = 36;
const eventGap = 12;

/** Speeds at one thrust, in large figures. */
const panel = (column: TakeoffColumnScene, left: number, width: number, top: number): string => {
  const { title, detail, isUsed, speeds, range } = column;
  const step = (width - 32) / speeds.length;
  const room = width - 32 - (isUsed ? textWidth('· selected', 20) + 8 : 0);
  const name = shortened(title, 22, room, true);
  return [
    rect(left, top, width, panelHeight, isUsed ? 'chosenbox' : 'panel', ' rx="6"'),
    label(left + 16, top + 32, name, 22, 'b ink'),
    isUsed ? label(left + 24 + textWidth(name, 22, true), top + 32, '· selected', 20) : '',
    label(left + 16, top + 58, shortened(detail, 19, width - 32), 19, 'soft'),
    ...speeds.map(({ name: speed, value }, i) => {
      const at = left + 16 + i * step;
      return (
        label(at, top + 106, speed, 20, 'soft') +
        label(at + 36, top + 108, value === null ? '–' : String(value), 30, 'b ink figure')
      );
    }),
    label(left + 16, top + 146, shortened(range, 19, width - 32), 19, 'soft'),
  ].join('');
};

/** Full and reduced thrust side by side. */
export const panelsPart = ({ columns }: TakeoffScene, top: number): Part => {
  if (columns.length === 0) return { svg: '', height: 0 };
  const width = (page.right - page.left - panelGap) / 2;
  const svg = columns.map((column, i) => panel(column, page.left + i * (width + panelGap), width, top + 6));
  return { svg: svg.join(''), height: panelHeight + 24 };
};

/** Names below the bar, each with a line to its place. */
const eventMarks = (row: TakeoffRow, { x, limitM }: Scale, barTop: number): string => {
  const events = row.events.filter(({ atM }) => atM <= limitM);
  const widths = events.map(({ name }) => textWidth(name, 19));
  const places = events.map(({ atM }) => x(atM));
  const centres = spread(places, widths, eventGap);
  const foot = barTop + barHeight;
  return events
    .map(({ name }, i) => {
      const [at, centre] = [places[i] ?? 0, centres[i] ?? 0];
      return (
        line(at, barTop - 4, at, foot + 5, 'event') +
        line(at, foot + 5, centre, foot + 14, 'event leader') +
        label(centre, foot + 31, name, 19, 'ink', 'middle')
      );
    })
    .join('');
};

const heightOf = (row: TakeoffRow): number =>
  (row.neededM === null ? 44 : rowHeight) + (row.events.length > 0 ? eventHeight - 16 : 0);

const rowPart = (scene: TakeoffScene, row: TakeoffRow, scale: Scale, y: number): string => {
  if (row.neededM === null)
    return (
      sign(row.verdict, page.left, y) +
      label(page.left + 34, y + 20, row.label, 22, 'b ink') +
      label(page.right, y + 20, verdictWords[row.verdict].text, 20, `${toneOf(row.verdict)} verdict`, 'end')
    );
  const barTop = y + barOffset;
  const at = scale.x(row.availableM);
  return [
    rowTexts(scene.unit, { ...row, isChosen: false }, row.neededM, y),
    barMark(row.segments, row.verdict, scale, barTop),
    // An outline keeps it visible on a bar of the same colour.
    rect(at - 3, barTop, 6, barHeight, 'under'),
    line(at, barTop - 5, at, barTop + barHeight + 5, 'lda'),
    eventMarks(row, scale, barTop),
  ].join('');
};

/** Distances at each thrust as bars to a common scale. */
export const takeoffRowsPart = (scene: TakeoffScene, scale: Scale, top: number): Part => {
  if (scene.columns.length === 0) return { svg: '', height: 0 };
  let y = top;
  const svg = scene.columns.flatMap(({ title, rows }) => {
    if (rows.length === 0) return [];
    const heading =
      label(page.left, y + 24, title, 24, 'b ink') + line(page.left, y + 34, page.right, y + 34, 'grid');
    y += 48;
    const bars = rows.map((row) => {
      const part = rowPart(scene, row, scale, y);
      y += heightOf(row);
      return part;
    });
    return [heading, ...bars];
  });
  svg.push(axis(scene.unit, scale, y + 4));
  return { svg: svg.join(''), height: y - top + 56 };
};
