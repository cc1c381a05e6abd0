import { metresPerFoot } from '#perf/kernel/units.ts';
/** Contents of the landing drawing as plain data, created from a stored calculation when drawing. */
import { verdictWords } from '#domain/performance/verdict.ts';
import type { ShownVerdict } from '#domain/performance/verdict.ts';

/** What a row or a cell means; every one has its own shape and colour. */
export type SceneVerdict = ShownVerdict;

/** One bar: from the threshold to a stop, in metres from the threshold. */
export interface SceneRow {
  label: string;
  /** Where the solid bar ends. */
  solidM: number;
  /** Where the hatched tail (margin or factor) ends; null without one. */
  tailM: number | null;
  /** LDA minus the relevant distance, negative when the runway is too short. */
  marginM: number;
  /** The mode that the pilot chose, drawn with emphasis. */
  isChosen: boolean;
  verdict: SceneVerdict;
  /** The relevant distance less and plus its uncertainty. */
  bandM: readonly [number, number] | null;
}

/** A brake mode without distance. */
export interface SceneMissing {
  label: string;
  verdict: SceneVerdict;
  reason: string;
}

export interface SceneCell {
  metres: number | null;
  verdict: SceneVerdict;
}

/** Tables of the arrival assessment. */
export interface SceneTables {
  modes: string[];
  /** Runway condition code of the landing. */
  rwycc: number | null;
  /** One column each, a cell for each mode. */
  codes: { rwycc: number; cells: SceneCell[] }[];
  /** For each mode the worst code that fits. */
  worst: (number | null)[];
  /** One row each, a cell for each mode: change of the distance. */
  changes: { label: string; reason: string | null; cells: SceneCell[] }[];
}

export interface LandingScene {
  kind: 'landing';
  title: string;
  subtitle: string;
  /** State of everything that the numbers depend on. */
  facts: { name: string; value: string }[];
  /** Unit of every distance shown. */
  unit: 'm' | 'ft';
  runway: {
    ident: string;
    /** Pavement before the landing threshold. */
    beforeM: number;
    /** Closed parts, from the landing threshold. */
    closed: readonly { fromM: number; toM: number }[];
    /** What is left for landing. */
    ldaM: number;
    /** Pavement behind the end of the LDA. */
    beyondM: number;
  };
  /** Distance from threshold to touchdown. */
  touchdownM: number;
  rows: SceneRow[];
  missing: SceneMissing[];
  /** Exits by distance from the landing threshold. */
  exits: { name: string; distanceM: number; isHighSpeed: boolean }[];
  tables: SceneTables | null;
  cautions: string[];
  /** Short remarks under the drawing (accuracy, purpose). */
  notes: string[];
}

export const inUnit = (metres: number, unit: LandingScene['unit']): number =>
  unit === 'm' ? metres : metres / metresPerFoot;

/** `1,234`, with a minus sign for negative numbers. */
export const separated = (value: number): string =>
  `${value < 0 ? '−' : ''}${String(Math.abs(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ',')}`;

/** `1,234 m`; rounded to whole units. */
export const distanceText = (metres: number, unit: LandingScene['unit']): string =>
  `${separated(Math.round(inUnit(metres, unit)))} ${unit}`;

export const marginText = (metres: number, unit: LandingScene['unit']): string =>
  `${metres >= 0 ? '+' : ''}${distanceText(metres, unit)}`;

const tableText = ({ modes, worst, changes }: SceneTables, unit: LandingScene['unit']): string[] => [
  ...modes.map((mode, i) => {
    const code = worst[i] ?? null;
    return `${mode}: ${code === null ? 'fits on no runway condition code' : `fits down to runway condition code ${code}`}.`;
  }),
  ...changes.map(({ label, reason, cells }) => {
    const parts = cells.map(({ metres, verdict }, i) => {
      const delta = metres === null ? verdictWords[verdict].text : marginText(metres, unit);
      return `${modes[i]} ${delta}`;
    });
    return `With ${label}: ${reason ?? `${parts.join(', ')}.`}`;
  }),
];

/** The drawing in words, for readers who cannot see it. */
export const alternativeText = (scene: LandingScene): string =>
  [
    `${scene.title}. ${scene.subtitle}.`,
    ...scene.facts.map(({ name, value }) => `${name}: ${value}.`),
    `Landing distance available ${distanceText(scene.runway.ldaM, scene.unit)}, touchdown at ${distanceText(scene.touchdownM, scene.unit)}.`,
    ...scene.rows.map(
      (row) =>
        `${row.label}: stops at ${distanceText(row.solidM, scene.unit)}` +
        `${row.tailM === null ? '' : `, factored ${distanceText(row.tailM, scene.unit)}`}, margin ${marginText(row.marginM, scene.unit)}, ${verdictWords[row.verdict].text}.`,
    ),
    ...scene.missing.map(
      ({ label, verdict, reason }) => `${label}: ${verdictWords[verdict].text}. ${reason}`,
    ),
    ...scene.exits.map((exit) => `Exit ${exit.name} at ${distanceText(exit.distanceM, scene.unit)}.`),
    ...(scene.tables ? tableText(scene.tables, scene.unit) : []),
    ...scene.cautions,
    ...scene.notes,
  ].join(' ');
