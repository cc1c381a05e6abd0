/** Contents of the landing drawing as plain data, created from a stored calculation when drawing. */

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
}

export interface LandingScene {
  kind: 'landing';
  title: string;
  subtitle: string;
  /** Unit of every distance shown. */
  unit: 'm' | 'ft';
  runway: {
    ident: string;
    /** Pavement before the threshold that cannot be landed on. */
    displacedM: number;
    /** Deducted from the landing distance by a NOTAM at either end. */
    shortenStartM: number;
    shortenEndM: number;
    /** What is left for landing. */
    ldaM: number;
    /** Pavement behind the end of the LDA. */
    beyondM: number;
  };
  /** Distance from threshold to touchdown. */
  touchdownM: number;
  rows: SceneRow[];
  /** Exits by distance from the landing threshold. */
  exits: { name: string; distanceM: number; isHighSpeed: boolean }[];
  /** Short remarks under the drawing (estimated data, cautions). */
  notes: string[];
}

const metresPerFoot = 0.3048;

export const inUnit = (metres: number, unit: LandingScene['unit']): number =>
  unit === 'm' ? metres : metres / metresPerFoot;

/** `1,234 m`; rounded to whole units. */
export const distanceText = (metres: number, unit: LandingScene['unit']): string => {
  const whole = Math.round(inUnit(metres, unit));
  return `${whole < 0 ? '−' : ''}${String(Math.abs(whole)).replace(/\B(?=(\d{3})+(?!\d))/g, ',')} ${unit}`;
};

export const marginText = (metres: number, unit: LandingScene['unit']): string =>
  `${metres >= 0 ? '+' : ''}${distanceText(metres, unit)}`;

/** The drawing in words, for readers who cannot see it. */
export const alternativeText = (scene: LandingScene): string =>
  [
    `${scene.title}. ${scene.subtitle}.`,
    `Landing distance available ${distanceText(scene.runway.ldaM, scene.unit)}, touchdown at ${distanceText(scene.touchdownM, scene.unit)}.`,
    ...scene.rows.map(
      (row) =>
        `${row.label}: stops at ${distanceText(row.solidM, scene.unit)}` +
        `${row.tailM === null ? '' : `, factored ${distanceText(row.tailM, scene.unit)}`}, margin ${marginText(row.marginM, scene.unit)}.`,
    ),
    ...scene.exits.map((exit) => `Exit ${exit.name} at ${distanceText(exit.distanceM, scene.unit)}.`),
    ...scene.notes,
  ].join(' ');
