/** Drawings of a calculation: their names, formats and URLs, and the data stored to draw them. */

import type { CalculationKind } from './history.ts';
import type { LandingRequest } from './request.ts';
import type { LandingAnswer } from './result.ts';
import type { TakeoffRequest } from './takeoff-request.ts';
import type { TakeoffAnswer } from './takeoff-result.ts';

export const graphicFormats = ['svg', 'png', 'jpg'] as const;
export type GraphicFormat = (typeof graphicFormats)[number];

/** The formats that a worker draws at their first request; an SVG is text, generated for each request. */
export const rasterFormats = ['png', 'jpg'] as const;
export type RasterFormat = (typeof rasterFormats)[number];

/** What the pilot selected, in the words of the profile. */
export interface DrawingWords {
  flap: string;
  condition: string;
  reversers: string;
  speedbrake: string;
  antiIce: string;
  nonNormal: string | null;
  mel: string[];
  cdl: string[];
}

/**
 * Data of a drawing beyond the request and the answer, stored with the calculation. Metres. A calculation
 * without it has no drawing.
 */
export interface DrawingFacts {
  /** Aircraft variant for the title. */
  variant: string;
  /** Pavement before the landing threshold, before what the request itself shortens. */
  displacedM: number;
  /** Parts closed by NOTAM, from the beginning of the pavement; older calculations have none. */
  closed?: readonly { fromM: number; toM: number }[];
  /** Length of the whole pavement. */
  lengthM: number;
  /** Values of the request in words; older calculations have none. */
  words?: DrawingWords;
  /** At dispatch only; in flight the answer has touchdown and exits. */
  dispatch?: {
    touchdownM: number;
    exits: { name: string; distanceM: number; isHighSpeed: boolean }[];
  };
}

/** Where a takeoff is on its runway, metres from brake release; null: never. */
export interface TakeoffPoints {
  /** With an engine failure one second before V1. */
  v1M: number | null;
  vrM: number | null;
  liftOffM: number | null;
}

/** As `DrawingFacts`, of a takeoff. Metres. */
export interface TakeoffDrawingFacts {
  variant: string;
  lengthM: number;
  /** From the beginning of the pavement, as `closed`, to brake release. */
  startM: number;
  /** From the beginning of the pavement to the landing threshold. */
  displacedM: number;
  closed: readonly { fromM: number; toM: number }[];
  words: {
    rating: string;
    /** Of the column at full thrust. */
    fullRating: string;
    condition: string;
    packs: string;
    antiIce: string;
    mel: string[];
    cdl: string[];
  };
  /** At the thrust of the rating, and at reduced thrust; null as in the answer. */
  points: { full: TakeoffPoints | null; reduced: TakeoffPoints | null };
}

/** The data of a drawing, as stored with the calculation. */
export type DrawableCalculation =
  | { kind: 'takeoff'; request: TakeoffRequest; result: TakeoffAnswer; facts: TakeoffDrawingFacts }
  | {
      kind: Exclude<CalculationKind, 'takeoff'>;
      request: LandingRequest;
      result: LandingAnswer;
      facts: DrawingFacts;
    };

const sceneNames = ['factored', 'unfactored', 'dispatch', 'takeoff'] as const;
export type SceneName = (typeof sceneNames)[number];

/** Names of the pictures: each drawing, the same one in dark colours, and that of a takeoff on a wide sheet. */
export const graphicNames = [
  ...sceneNames,
  'factored-dark',
  'unfactored-dark',
  'dispatch-dark',
  'takeoff-dark',
  'takeoff-sheet',
] as const satisfies (SceneName | `${SceneName}-${'dark' | 'sheet'}`)[];
export type GraphicName = (typeof graphicNames)[number];

/** The drawing of a picture, and its look: `auto` follows the viewer's setting where it can, `sheet` is for paper. */
export const drawingOf = (name: GraphicName): { scene: SceneName; theme: 'auto' | 'dark' | 'sheet' } => {
  if (name === 'takeoff-sheet') return { scene: 'takeoff', theme: 'sheet' };
  const scene = sceneNames.find((candidate) => name === `${candidate}-dark`);
  return scene ? { scene, theme: 'dark' } : { scene: name as SceneName, theme: 'auto' };
};

/** The drawings of a calculation by its kind. At dispatch all three names are one drawing. */
export const scenesOfKind = {
  landingDispatch: ['dispatch', 'factored', 'unfactored'],
  landingEnroute: ['factored', 'unfactored'],
  takeoff: ['takeoff'],
  other: [],
} as const satisfies Record<CalculationKind, readonly SceneName[]>;

/** Address of a drawing; the random public id is what protects it (G-43). */
export const graphicUrl = (baseUrl: string, publicId: string, name: string, format: GraphicFormat): string =>
  `${baseUrl}/graphics/${publicId}/${name}.${format}`;

/** Storage key of a picture. The public id is random, so the key cannot be guessed. */
export const graphicKey = (publicId: string, name: string, format: RasterFormat): string =>
  `graphics/${publicId}/${name}.${format}`;
