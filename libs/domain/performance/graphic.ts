/** Drawings of a calculation: their names, formats and addresses, and what is stored to draw them. */

export const graphicFormats = ['svg', 'png', 'jpg'] as const;
export type GraphicFormat = (typeof graphicFormats)[number];

/** The formats that a worker makes when they are first asked for; an SVG is text, made for each request. */
export const rasterFormats = ['png', 'jpg'] as const;
export type RasterFormat = (typeof rasterFormats)[number];

/**
 * What a drawing shows beyond the request and the answer, stored with the calculation. Metres. A calculation
 * without it has no drawing.
 */
export interface DrawingFacts {
  /** Aircraft variant, as the title names it. */
  variant: string;
  /** Pavement before the threshold that cannot be landed on. */
  displacedM: number;
  /** Length of the whole pavement. */
  lengthM: number;
  /** At dispatch only; in flight the answer has touchdown and exits. */
  dispatch?: {
    touchdownM: number;
    exits: { name: string; distanceM: number; isHighSpeed: boolean }[];
  };
}

export const graphicNames = ['factored', 'unfactored', 'dispatch'] as const;
export type GraphicName = (typeof graphicNames)[number];

/** The drawings of a calculation of this kind, if it has any. At dispatch all three names are one drawing. */
export const graphicNamesOf = (kind: string): readonly GraphicName[] => {
  if (kind === 'landingDispatch') return ['dispatch', 'factored', 'unfactored'];
  return kind === 'landingEnroute' ? ['factored', 'unfactored'] : [];
};

/** Address of a drawing; the random public id is what protects it (G-43). */
export const graphicUrl = (baseUrl: string, publicId: string, name: string, format: GraphicFormat): string =>
  `${baseUrl}/graphics/${publicId}/${name}.${format}`;

/** Storage key of a picture. The public id is random, so the key cannot be guessed. */
export const graphicKey = (publicId: string, name: string, format: RasterFormat): string =>
  `graphics/${publicId}/${name}.${format}`;
