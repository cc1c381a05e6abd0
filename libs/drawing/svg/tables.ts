import { page } from './layout.ts';
import type { Part } from './runway.ts';
import { inUnit, separated } from './scene.ts';
import type { LandingScene, SceneCell, SceneTables } from './scene.ts';
import { label, line, rect, sign, toneOf } from './shapes.ts';
import { shortened, textWidth, wrapped } from './text.ts';

const codeLabelWidth = 180;
const changeLabelWidth = 176;
/** Sizes of a cell's sign and figure: six columns of six characters fit. */
const cellSign = 14;
const cellFont = 18;
const headHeight = 54;

/** Column headings of common conditions. */
const codeWords: Record<number, string> = {
  6: 'dry',
  5: 'good',
  4: 'good to medium',
  3: 'medium',
  2: 'medium to poor',
  1: 'poor',
};

/** Shortened, since the full names are above the tables. */
const shortName = (mode: string): string => mode.replace('AUTOBRAKE', 'A/BRK');

/** A cell: the sign of its verdict, and its figure right-aligned. */
const cell = (
  { metres, verdict }: SceneCell,
  unit: LandingScene['unit'],
  right: number,
  y: number,
  plus: string,
): string => {
  if (metres === null) {
    const words = verdict === 'CANNOT_STOP' ? 'no stop' : '–';
    return (
      sign(verdict, right - cellSign - textWidth(words, cellFont) - 6, y - 13, cellSign) +
      label(right, y, words, cellFont, toneOf(verdict), 'end')
    );
  }
  const whole = Math.round(inUnit(metres, unit));
  const text = `${whole > 0 ? plus : ''}${separated(whole)}`;
  return (
    sign(verdict, right - cellSign - textWidth(text, cellFont) - 6, y - 13, cellSign) +
    label(right, y, text, cellFont, 'ink', 'end')
  );
};

const heading = (text: string, y: number): string => label(page.left, y, text, 22, 'b ink');

const codesTable = (tables: SceneTables, unit: LandingScene['unit'], top: number): Part => {
  const column = (page.right - page.left - codeLabelWidth) / tables.codes.length;
  const rightOf = (i: number): number => page.left + codeLabelWidth + (i + 1) * column - 4;
  const bodyTop = top + 60 + headHeight;
  const rowHeight = 56;
  const current = tables.codes.findIndex((entry) => entry.rwycc === tables.rwycc);
  const svg = [
    heading(`Factored distance by runway condition code, ${unit}`, top + 22),
    current < 0
      ? ''
      : rect(
          rightOf(current) - column + 6,
          top + 38,
          column,
          headHeight + 20 + tables.modes.length * rowHeight,
          'panel',
        ),
    ...tables.codes.map(
      ({ rwycc }, i) =>
        label(rightOf(i), top + 62, String(rwycc), 22, 'b ink', 'end') +
        wrapped(codeWords[rwycc] ?? '', 18, column - 8)
          .map((text, k) => label(rightOf(i), top + 83 + k * 20, text, 18, 'soft', 'end'))
          .join(''),
    ),
    ...tables.modes.flatMap((mode, k) => {
      const y = bodyTop + k * rowHeight;
      const worst = tables.worst[k] ?? null;
      return [
        line(page.left, y, page.right, y, 'grid'),
        label(page.left, y + 23, shortened(shortName(mode), 19, codeLabelWidth - 6, true), 19, 'b ink'),
        label(page.left, y + 45, worst === null ? 'fits on no code' : `fits down to ${worst}`, 18, 'soft'),
        ...tables.codes.map(({ cells }, i) => {
          const entry = cells[k];
          return entry ? cell(entry, unit, rightOf(i), y + 34, '') : '';
        }),
      ];
    }),
  ].join('');
  return { svg, height: bodyTop + tables.modes.length * rowHeight - top + 22 };
};

const changesTable = (tables: SceneTables, unit: LandingScene['unit'], top: number): Part => {
  const column = (page.right - page.left - changeLabelWidth) / tables.modes.length;
  const rightOf = (i: number): number => page.left + changeLabelWidth + (i + 1) * column - 4;
  const bodyTop = top + 36 + headHeight;
  const rowHeight = 40;
  const svg = [
    heading(`Landing distance with one change, ${unit}`, top + 22),
    ...tables.modes.flatMap((mode, i) => {
      const lines = wrapped(shortName(mode), 18, column - 4, true).slice(0, 2);
      return lines.map((text, k) =>
        label(rightOf(i), bodyTop - 10 - (lines.length - 1 - k) * 21, text, 18, 'b ink', 'end'),
      );
    }),
    ...tables.changes.flatMap(({ label: name, reason, cells }, k) => {
      const y = bodyTop + k * rowHeight;
      return [
        line(page.left, y, page.right, y, 'grid'),
        label(page.left, y + 27, name, 20),
        ...(reason === null
          ? cells.map((entry, i) => cell(entry, unit, rightOf(i), y + 27, '+'))
          : [
              label(
                page.right - 4,
                y + 27,
                shortened(reason, 19, page.right - page.left - changeLabelWidth),
                19,
                'soft',
                'end',
              ),
            ]),
      ];
    }),
  ].join('');
  return { svg, height: bodyTop + tables.changes.length * rowHeight - top + 18 };
};

/** The landing assessment as two tables. */
export const tablesPart = (scene: LandingScene, top: number): Part => {
  if (!scene.tables) return { svg: '', height: 0 };
  const codes = codesTable(scene.tables, scene.unit, top);
  const changes = changesTable(scene.tables, scene.unit, top + codes.height);
  return { svg: codes.svg + changes.svg, height: codes.height + changes.height };
};

/** Verdicts in the tables, for the legend. */
export const tableVerdicts = (tables: SceneTables | null): SceneCell['verdict'][] =>
  tables
    ? [...tables.codes.flatMap(({ cells }) => cells), ...tables.changes.flatMap(({ cells }) => cells)].map(
        (entry) => entry.verdict,
      )
    : [];
