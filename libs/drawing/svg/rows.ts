import { metresPerFoot } from '#perf/kernel/units.ts';
import { verdictWords } from '#domain/performance/verdict.ts';
import type { ShownVerdict } from '#domain/performance/verdict.ts';
import { endOf, hasPavementBehind, page } from './layout.ts';
import type { Scale } from './layout.ts';
import type { Part } from './runway.ts';
import { distanceText, inUnit, marginText, separated } from './scene.ts';
import type { BarSegment, LandingScene, SceneMissing, SceneRow } from './scene.ts';
import { label, line, n, rect, sign, textureOf, toneOf } from './shapes.ts';
import { shortened, textWidth, wrapped } from './text.ts';

export const rowHeight = 82;
export const barHeight = 24;
/** From the top of a row to its bar; texts are above the bar. */
export const barOffset = 36;
const signSize = 24;

const bandMark = (row: SceneRow, { x, limitM }: Scale, middle: number): string => {
  if (!row.bandM || row.bandM[1] > limitM) return '';
  const [low, high] = [x(row.bandM[0]), x(row.bandM[1])];
  return `<path class="band" d="M${n(low)} ${middle - 6} v12 m0 -6 H${n(high)} m0 -6 v12"/>`;
};

/** Marks a bar that continues beyond the page. */
const cutMark = (end: number, y: number, tone: string): string =>
  `<path class="${tone}" d="M${n(end + 3)} ${y} l12 ${barHeight / 2} l-12 ${barHeight / 2} z"/>`;

const classOf = (kind: BarSegment['kind'], tone: string): string =>
  ({ ground: `bar ${tone}`, air: 'air', braking: 'braking', factor: `tail ${tone}tail` })[kind];

/** A bar of segments, cut at the limit of the scale. */
export const barMark = (
  segments: readonly BarSegment[],
  verdict: ShownVerdict,
  { x, limitM }: Scale,
  y: number,
): string => {
  const tone = toneOf(verdict);
  let from = 0;
  const parts = segments.map(({ kind, toM }) => {
    const [left, right] = [x(from), x(Math.min(toM, limitM))];
    from = Math.min(toM, limitM);
    const texture = kind === 'braking' ? 'o-upright' : kind === 'ground' ? textureOf[verdict] : null;
    return (
      rect(left, y, right - left, barHeight, classOf(kind, tone)) +
      (texture === null ? '' : rect(left, y, right - left, barHeight, 'texture', ` fill="url(#${texture})"`))
    );
  });
  const isCut = (segments.at(-1)?.toM ?? 0) > limitM;
  return parts.join('') + (isCut ? cutMark(x(limitM), y, tone) : '');
};

/** Texts above a bar: sign and mode to the left; verdict, margin and distance to the right. */
export const rowTexts = (
  unit: LandingScene['unit'],
  row: Pick<SceneRow, 'label' | 'marginM' | 'verdict' | 'isChosen'>,
  lengthM: number,
  y: number,
): string => {
  const figure = distanceText(lengthM, unit);
  const figureLeft = page.right - Math.max(118, textWidth(figure, 26, true));
  const verdict = `${verdictWords[row.verdict].text}, ${marginText(row.marginM, unit)}`;
  const verdictLeft = figureLeft - 14 - textWidth(verdict, 20);
  const nameLeft = page.left + signSize + 10;
  const chosen = row.isChosen ? '· selected' : '';
  const room = verdictLeft - 20 - nameLeft - textWidth(chosen, 20);
  const name = shortened(row.label, 22, room, true);
  return [
    sign(row.verdict, page.left, y, signSize),
    label(nameLeft, y + 20, name, 22, 'b ink'),
    row.isChosen ? label(nameLeft + textWidth(name, 22, true) + 8, y + 20, chosen, 20, 'ink') : '',
    label(figureLeft - 14, y + 20, verdict, 20, `${toneOf(row.verdict)} verdict`, 'end'),
    label(page.right, y + 20, figure, 26, 'b ink figure', 'end'),
  ].join('');
};

const rowPart = (scene: LandingScene, row: SceneRow, scale: Scale, y: number): string => {
  const barTop = y + barOffset;
  const segments: BarSegment[] = [
    { kind: 'air', toM: Math.min(scene.touchdownM, row.solidM) },
    { kind: 'ground', toM: row.solidM },
    ...(row.tailM === null ? [] : [{ kind: 'factor' as const, toM: row.tailM }]),
  ];
  return [
    row.isChosen
      ? rect(page.left - 10, y - 9, page.right - page.left + 20, rowHeight - 3, 'chosenbox', ' rx="6"')
      : '',
    rowTexts(scene.unit, row, row.tailM ?? row.solidM, y),
    barMark(segments, row.verdict, scale, barTop),
    bandMark(row, scale, barTop + barHeight / 2),
  ].join('');
};

interface MissingGroup extends SceneMissing {
  lines: string[];
  height: number;
}

/** Modes without a distance, grouped by reason. */
const missingGroups = (scene: LandingScene): MissingGroup[] => {
  const groups = new Map<string, SceneMissing>();
  for (const mode of scene.missing) {
    const key = `${mode.verdict} ${mode.reason}`;
    const known = groups.get(key);
    groups.set(key, known ? { ...known, label: `${known.label}, ${mode.label}` } : mode);
  }
  return [...groups.values()].map((group) => {
    const room = page.right - page.left - signSize - 30 - textWidth(verdictWords[group.verdict].text, 20);
    const lines = wrapped(group.label, 22, room, true);
    return { ...group, lines, height: lines.length * 26 + 36 };
  });
};

const missingPart = ({ lines, verdict, reason }: MissingGroup, y: number): string =>
  [
    sign(verdict, page.left, y, signSize),
    ...lines.map((text, i) => label(page.left + signSize + 10, y + 20 + i * 26, text, 22, 'b ink')),
    label(page.right, y + 20, verdictWords[verdict].text, 20, `${toneOf(verdict)} verdict`, 'end'),
    label(page.left + signSize + 10, y + 18 + lines.length * 26, reason, 20, 'soft'),
  ].join('');

/** A step of 100, 200 or 500 times a power of ten, for three to six ticks. */
const tickStep = (span: number): number => {
  const raw = span / 6;
  const power = 10 ** Math.floor(Math.log10(raw));
  return ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10) * power;
};

/** Distance axis from zero, in the drawing's unit. */
export const axis = (unit: LandingScene['unit'], { x, endM }: Scale, y: number): string => {
  const metresPerUnit = unit === 'm' ? 1 : metresPerFoot;
  const last = inUnit(endM, unit);
  const step = tickStep(last);
  const ticks = Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step);
  return [
    line(x(0), y, x(endM), y, 'axis'),
    ...ticks.map((tick) => {
      const at = x(tick * metresPerUnit);
      const text = tick === 0 ? `0 ${unit}` : separated(tick);
      const half = textWidth(text, 20) / 2;
      const centre = Math.min(page.right - half, Math.max(page.left + half, at));
      return line(at, y, at, y + 8, 'axis') + label(centre, y + 28, text, 20, 'soft', 'middle');
    }),
  ].join('');
};

/** A vertical line through the bars only, so that it crosses no text. */
const throughBars = (scene: LandingScene, at: number, top: number, cls: string): string =>
  scene.rows
    .map((_, i) => {
      const y = top + i * rowHeight + barOffset;
      return line(at, y - 5, at, y + barHeight + 5, cls);
    })
    .join('');

/** Bars of the brake modes to scale, modes without a distance, and the axis. */
export const rowsPart = (scene: LandingScene, scale: Scale, top: number): Part => {
  const { x } = scale;
  const axisTop = top + scene.rows.length * rowHeight + 4;
  const [threshold, lda, end] = [x(0), x(scene.runway.ldaM), x(endOf(scene))];
  let y = axisTop + 52;
  const missing = missingGroups(scene).map((group) => {
    const svg = missingPart(group, y);
    y += group.height;
    return svg;
  });
  const svg = [
    ...scene.rows.map((row, i) => rowPart(scene, row, scale, top + i * rowHeight)),
    throughBars(scene, threshold, top, 'threshold'),
    hasPavementBehind(scene, x) ? throughBars(scene, end, top, 'pavement') : '',
    throughBars(scene, lda, top, 'lda'),
    axis(scene.unit, scale, axisTop),
    ...missing,
  ].join('');
  return { svg, height: y - top };
};
