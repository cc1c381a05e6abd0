import type { ShownVerdict } from '#domain/performance/verdict.ts';
import { page, scaleBetween } from './layout.ts';
import type { Scale } from './layout.ts';
import { box, closedItem, displacedItem, legendPart, shown, upright, verdictItems } from './legend.ts';
import type { LegendItem } from './legend.ts';
import type { BarSegment } from './scene.ts';
import { rect } from './shapes.ts';
import type { Theme } from './style.ts';
import { cautionsPart, gap, headPart, notesPart, stacked, svgDocument } from './svg.ts';
import { panelsPart, takeoffRowsPart } from './takeoff-rows.ts';
import { clearwayM, stopwayM, takeoffAlternativeText } from './takeoff-scene.ts';
import type { TakeoffScene } from './takeoff-scene.ts';
import { stripPart } from './takeoff-strip.ts';

/** From the start of the pavement to the end of the longest available distance or bar. */
const takeoffScale = ({ runway, columns }: TakeoffScene): Scale => {
  const { beforeM, toraM, todaM, asdaM, pavementEndM } = runway;
  const bars = columns.flatMap(({ rows }) => rows.map(({ neededM }) => neededM ?? 0));
  return scaleBetween(-beforeM, Math.max(toraM, todaM, asdaM, pavementEndM), bars);
};

/** Items for the signs and colours in this drawing. */
const itemsOf = (scene: TakeoffScene): LegendItem[] => {
  const { columns, runway } = scene;
  const rows = columns.flatMap((column) => column.rows);
  const used = new Set<ShownVerdict>(rows.map(({ verdict }) => verdict));
  const kinds = new Set<BarSegment['kind']>(rows.flatMap(({ segments }) => segments.map(({ kind }) => kind)));
  return [
    ...verdictItems(used),
    ...shown(kinds.has('ground'), { mark: box('good'), text: 'on the ground' }),
    ...shown(kinds.has('air'), { mark: box('air'), text: 'airborne' }),
    ...shown(kinds.has('braking'), {
      mark: (x, y) =>
        rect(x, y + 4, 30, 16, 'braking') + rect(x, y + 4, 30, 16, 'texture', ' fill="url(#o-upright)"'),
      text: 'stopping',
    }),
    ...shown(kinds.has('factor'), { mark: box('tail goodtail'), text: 'factor 1.15' }),
    ...shown(rows.length > 0, { mark: upright('lda'), text: 'end of TODA or ASDA' }),
    ...shown(stopwayM(scene) > 0, {
      mark: (x, y) =>
        rect(x, y + 2, 30, 20, 'asphalt') + `<path class="arrow" d="M${x + 8} ${y + 4} l10 8 l-10 8"/>`,
      text: 'stopway',
    }),
    ...shown(clearwayM(scene) > 0, { mark: box('clearway'), text: 'clearway' }),
    ...shown(runway.thresholdM !== null, displacedItem),
    ...shown(runway.closed.length > 0, closedItem),
  ];
};

/** Parts of the drawing from top to bottom: aircraft on its runway, distances, texts. */
const partsOf = (scene: TakeoffScene) => {
  const scale = takeoffScale(scene);
  const items = itemsOf(scene);
  return {
    runway: [
      () => headPart(scene),
      (y: number) => panelsPart(scene, y),
      (y: number) => stripPart(scene, scale, y),
    ],
    distances: [
      (y: number) => takeoffRowsPart(scene, scale, y),
      () => gap(6),
      (y: number) => (items.length > 0 ? legendPart(items, y) : gap(0)),
    ],
    notes: [(y: number) => cautionsPart(scene, y), (y: number) => notesPart(scene, y)],
  };
};

/** The drawing on a landscape sheet for print: runway to the left, distances to the right. */
export const takeoffSheetSvg = (scene: TakeoffScene): string => {
  const { runway, distances, notes } = partsOf(scene);
  const halves = [stacked(runway, 0), stacked([() => gap(18), ...distances], 0)];
  for (const note of notes) {
    const [left, right] = halves.map(({ height }) => height);
    const shorter = (left ?? 0) <= (right ?? 0) ? 0 : 1;
    const half = halves[shorter] ?? gap(0);
    const { svg, height } = note(half.height);
    halves[shorter] = { svg: half.svg + svg, height: half.height + height };
  }
  const svg = halves.map((half, i) => `<g transform="translate(${i * page.width})">${half.svg}</g>`).join('');
  const height = Math.max(...halves.map((half) => half.height));
  const about = { title: scene.title, alternative: takeoffAlternativeText(scene), theme: 'light' as const };
  return svgDocument(about, { svg, height }, 2 * page.width);
};

/** The takeoff drawing, in the style of the landing drawing. */
export const takeoffSvg = (scene: TakeoffScene, theme: Theme = 'auto'): string => {
  const { runway, distances, notes } = partsOf(scene);
  const body = stacked([...runway, ...distances, ...notes], 0);
  return svgDocument({ title: scene.title, alternative: takeoffAlternativeText(scene), theme }, body);
};
