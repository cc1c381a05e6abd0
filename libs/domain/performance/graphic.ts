/** Drawings of a calculation: their names, formats and URLs, and the data stored to draw them. */

import type { CalculationKind } from './history.ts';
import type { LandingRequest } from './request.ts';
import type { LandingAnswer } from './result.ts';
import type { TakeoffRequest } from './takeoff-request.ts';
import type { TakeoffAnswer } from './takeoff-result.ts';

export const graphicFormats = ['svg', 'png', 'jpg'] as const;
export type GraphicFormat = (typeof graphicFormats)[number];

/** Formats drawn by a worker at the first request; SVG is rendered for every request. */
export const rasterFormats = ['png', 'jpg'] as const;
export type RasterFormat = (typeof rasterFormats)[number];

/** The pilot's selections in the profile's words. */
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
 * What a drawing needs besides request and answer, stored with the calculation, in metres. A calculation without it has
 * no drawing.
 */
export interface DrawingFacts {
  /** Aircraft variant in the title. */
  variant: string;
  /** Pavement before the landing threshold, without parts shortened by the request. */
  displacedM: number;
  /** Parts closed by NOTAM, from the start of the pavement. */
  closed: readonly { fromM: number; toM: number }[];
  /** Pavement length. */
  lengthM: number;
  words: DrawingWords;
  /** Only for dispatch; in flight the answer has touchdown and exits. */
  dispatch?: {
    touchdownM: number;
    exits: { name: string; distanceM: number; isHighSpeed: boolean }[];
  };
}

/** Positions along a takeoff, metres from brake release; null if never reached. */
export interface TakeoffPoints {
  /** With an engine failure one second before V1. */
  v1M: number | null;
  vrM: number | null;
  liftOffM: number | null;
}

/** `DrawingFacts` for a takeoff, in metres. */
export interface TakeoffDrawingFacts {
  variant: string;
  lengthM: number;
  /** From the start of the pavement to brake release. */
  startM: number;
  /** From the start of the pavement to the landing threshold. */
  displacedM: number;
  closed: readonly { fromM: number; toM: number }[];
  words: {
    rating: string;
    /** Rating of the full thrust column. */
    fullRating: string;
    condition: string;
    packs: string;
    antiIce: string;
    mel: string[];
    cdl: string[];
  };
  /** At rated and at reduced thrust; null as in the answer. */
  points: { full: TakeoffPoints | null; reduced: TakeoffPoints | null };
}

/** Data for a drawing, as stored with the calculation. */
export type DrawableCalculation =
  | { kind: 'takeoff'; request: TakeoffRequest; result: TakeoffAnswer; facts: TakeoffDrawingFacts }
  | {
      kind: Exclude<CalculationKind, 'takeoff'>;
      request: LandingRequest;
      result: LandingAnswer;
      facts: DrawingFacts;
    };

export type SceneName = 'factored' | 'unfactored' | 'dispatch' | 'takeoff';

/** Picture names: each drawing, its dark version, and the landscape sheet of a takeoff. */
export const graphicNames = [
  'factored',
  'unfactored',
  'dispatch',
  'takeoff',
  'factored-dark',
  'unfactored-dark',
  'dispatch-dark',
  'takeoff-dark',
  'takeoff-sheet',
] as const satisfies (SceneName | `${SceneName}-${'dark' | 'sheet'}`)[];
export type GraphicName = (typeof graphicNames)[number];

/** The drawing and theme of a picture: `auto` follows the viewer's setting if possible, `sheet` is for print. */
export const drawingOf = (name: GraphicName): { scene: SceneName; theme: 'auto' | 'dark' | 'sheet' } => {
  const [scene, theme = 'auto'] = name.split('-') as [SceneName, ('dark' | 'sheet')?];
  return { scene, theme };
};

/** The drawings of a calculation by its kind. At dispatch all three names are one drawing. */
export const scenesOfKind = {
  landingDispatch: ['dispatch', 'factored', 'unfactored'],
  landingEnroute: ['factored', 'unfactored'],
  takeoff: ['takeoff'],
  other: [],
} as const satisfies Record<CalculationKind, readonly SceneName[]>;

/** URL of a drawing, protected by its random public id (G-43). */
export const graphicUrl = (baseUrl: string, publicId: string, name: string, format: GraphicFormat): string =>
  `${baseUrl}/graphics/${publicId}/${name}.${format}`;

/** Storage key of a picture; cannot be guessed because of the random public id. */
export const graphicKey = (publicId: string, name: string, format: RasterFormat): string =>
  `graphics/${publicId}/${name}.${format}`;
