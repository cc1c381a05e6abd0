import type { ShownVerdict } from '#domain/performance/verdict.ts';
import { scaleBetween } from './layout.ts';
import type { Scale } from './layout.ts';
import { box, closedItem, displacedItem, legendPart, shown, upright, verdictItems } from './legend.ts';
import type { LegendItem } from './legend.ts';
import { rect } from './shapes.ts';
import type { Theme } from './style.ts';
import { cautionsPart, gap, headPart, notesPart, stacked, svgDocument } from './svg.ts';
import { panelsPart, takeoffRowsPart } from './takeoff-rows.ts';
import { clearwayM, stopwayM, takeoffAlternativeText } from './takeoff-scene.ts';
import type { TakeoffScene, TakeoffSegment } from './takeoff-scene.ts';
import { stripPart } from './takeoff-strip.ts';

/** From the beginning of the pavement to the furthest end of what is available, or of a bar. */
export const takeoffScale = ({ runway, columns }: TakeoffScene): Scale => {
  const { beforeM, toraM, todaM, asdaM, pavementEndM } = runway;
  const bars = columns.flatMap(({ rows }) => rows.map(({ neededM }) => neededM ?? 0));
  return scaleBetween(-beforeM, Math.max(toraM, todaM, asdaM, pavementEndM), bars);
};

/** Everything that this drawing uses, and nothing else. */
const itemsOf = (scene: TakeoffScene): LegendItem[] => {
  const { columns, runway } = scene;
  const rows = columns.flatMap((column) => column.rows);
  const used = new Set<ShownVerdict>(rows.map(({ verdict }) => verdict));
  const kinds = new Set<TakeoffSegment['kind']>(
    rows.flatMap(({ segments }) => segments.map(({ kind }) => kind)),
  );
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

/** The takeoff drawing, in the parts and colours of the landing's. */
export const takeoffSvg = (scene: TakeoffScene, theme: Theme = 'auto'): string => {
  const scale = takeoffScale(scene);
  const items = itemsOf(scene);
  const body = stacked(
    [
      () => headPart(scene),
      (y) => panelsPart(scene, y),
      (y) => stripPart(scene, scale, y),
      (y) => takeoffRowsPart(scene, scale, y),
      () => gap(6),
      (y) => (items.length > 0 ? legendPart(items, y) : gap(0)),
      (y) => cautionsPart(scene, y),
      (y) => notesPart(scene, y),
    ],
    0,
  );
  return svgDocument({ title: scene.title, alternative: takeoffAlternativeText(scene), theme }, body);
};
