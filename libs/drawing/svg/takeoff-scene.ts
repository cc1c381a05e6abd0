/** The takeoff drawing as plain data, derived from a stored calculation. */
import { verdictWords } from '#domain/performance/verdict.ts';
import type { ShownVerdict } from '#domain/performance/verdict.ts';
import { distanceText, marginText } from './scene.ts';
import type { BarSegment, LandingScene } from './scene.ts';

/** A distance against the available one, metres from brake release. */
export interface TakeoffRow {
  label: string;
  /** null: the aircraft can neither stop nor continue */
  neededM: number | null;
  available: 'ASDA' | 'TODA';
  availableM: number;
  marginM: number;
  verdict: ShownVerdict;
  segments: BarSegment[];
  /** Named events along the bar, in order. */
  events: { name: string; atM: number }[];
}

/** The takeoff at full or reduced thrust. */
export interface TakeoffColumnScene {
  title: string;
  detail: string;
  /** True if its speeds are the ones to fly. */
  isUsed: boolean;
  /** Knots. */
  speeds: { name: 'V1' | 'VR' | 'V2'; value: number | null }[];
  range: string;
  rows: TakeoffRow[];
}

export interface TakeoffScene extends Pick<LandingScene, 'title' | 'facts' | 'unit' | 'cautions' | 'notes'> {
  runway: {
    ident: string;
    /** The intersection where the takeoff begins; null: the start of the runway. */
    intersection: string | null;
    /** Pavement before brake release. */
    beforeM: number;
    /** Landing threshold, if displaced. */
    thresholdM: number | null;
    closed: readonly { fromM: number; toM: number }[];
    toraM: number;
    todaM: number;
    asdaM: number;
    /** End of the pavement, including a stopway. */
    pavementEndM: number;
  };
  /** Empty without a takeoff weight. */
  columns: TakeoffColumnScene[];
}

export const stopwayM = ({ runway }: TakeoffScene): number => Math.max(0, runway.asdaM - runway.toraM);
export const clearwayM = ({ runway }: TakeoffScene): number => Math.max(0, runway.todaM - runway.toraM);

/** The drawing as text for readers who cannot see it. */
export const takeoffAlternativeText = (scene: TakeoffScene): string => {
  const { runway, unit, facts, columns, cautions, notes } = scene;
  const length = (metres: number): string => distanceText(metres, unit);
  const part = (name: string, metres: number): string[] => (metres > 0 ? [`${name} ${length(metres)}.`] : []);
  const rowText = (row: TakeoffRow): string => {
    const events = row.events.map(({ name, atM }) => `${name} at ${length(atM)}`).join(', ');
    const needed =
      row.neededM === null ? '' : `, ${length(row.neededM)}, margin ${marginText(row.marginM, unit)}`;
    return `${row.label}: ${verdictWords[row.verdict].text}${needed} of ${row.available}${events && `; ${events}`}.`;
  };
  return [
    `${scene.title}.`,
    ...facts.map(({ name, value }) => `${name}: ${value}.`),
    `TORA ${length(runway.toraM)}, TODA ${length(runway.todaM)}, ASDA ${length(runway.asdaM)} from brake release.`,
    ...(runway.intersection === null ? [] : [`From intersection ${runway.intersection}.`]),
    ...part('Clearway', clearwayM(scene)),
    ...part('Stopway', stopwayM(scene)),
    ...(runway.thresholdM === null ? [] : ['The landing threshold is displaced.']),
    ...runway.closed.map(
      ({ fromM, toM }) => `Closed by NOTAM: ${length(toM - fromM)} from ${length(fromM)} on.`,
    ),
    ...columns.flatMap(({ title, detail, isUsed, speeds, range, rows }) => [
      `${title}${isUsed ? ', selected' : ''}: ${detail}.`,
      `${speeds.map(({ name, value }) => `${name} ${value ?? 'none'}`).join(', ')} kt. ${range}.`,
      ...rows.map(rowText),
    ]),
    ...cautions,
    ...notes,
  ].join(' ');
};
