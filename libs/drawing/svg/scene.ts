/** The landing drawing as plain data, derived from a stored calculation. */
import { metresPerFoot } from '#perf/kernel/units.ts';
import { verdictWords } from '#domain/performance/verdict.ts';
import type { ShownVerdict } from '#domain/performance/verdict.ts';

/** A part of a bar, to `toM` metres from its beginning. */
export interface BarSegment {
  kind: 'ground' | 'air' | 'braking' | 'factor';
  toM: number;
}

/** A bar from the threshold to a stop, in metres from the threshold. */
export interface SceneRow {
  label: string;
  /** End of the solid part. */
  solidM: number;
  /** End of the hatched tail (margin or factor); null without one. */
  tailM: number | null;
  /** LDA minus the relevant distance; negative if the runway is too short. */
  marginM: number;
  /** Emphasised, since the pilot chose this mode. */
  isChosen: boolean;
  verdict: ShownVerdict;
  /** The relevant distance minus and plus its uncertainty. */
  bandM: readonly [number, number] | null;
}

/** A brake mode without a distance. */
export interface SceneMissing {
  label: string;
  verdict: ShownVerdict;
  reason: string;
}

export interface SceneCell {
  metres: number | null;
  verdict: ShownVerdict;
}

/** Tables of the landing assessment. */
export interface SceneTables {
  modes: string[];
  /** Runway condition code of the landing. */
  rwycc: number | null;
  /** One column per code, with a cell per mode. */
  codes: { rwycc: number; cells: SceneCell[] }[];
  /** The worst code that fits, per mode. */
  worst: (number | null)[];
  /** One row per change, with a cell per mode: the change of distance. */
  changes: { label: string; reason: string | null; cells: SceneCell[] }[];
}

export interface LandingScene {
  title: string;
  subtitle: string;
  /** All inputs that the numbers depend on. */
  facts: { name: string; value: string }[];
  /** Unit of every distance shown. */
  unit: 'm' | 'ft';
  runway: {
    ident: string;
    /** Pavement before the landing threshold. */
    beforeM: number;
    /** Closed parts, from the landing threshold. */
    closed: readonly { fromM: number; toM: number }[];
    /** Landing distance available. */
    ldaM: number;
    /** Pavement beyond the LDA. */
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
  /** Notes below the drawing (accuracy, purpose). */
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

/** The drawing as text for readers who cannot see it. */
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
