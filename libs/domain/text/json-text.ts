/** JSON that is stored as text and sent as it is: inside an answer it is neither parsed nor written again. */

const mark = Symbol('JSON text');

export interface JsonText {
  readonly [mark]: true;
  readonly text: string;
  /** UTF-8 bytes, as the log names them in place of the text. */
  readonly bytes: number;
  /** The value itself for everyone but `writeJson`. */
  toJSON: () => unknown;
}

export interface WrittenJson {
  text: string;
  /** The same with the size of each JsonText in its place. */
  logged: string;
}

/** Marks the place of a JsonText; unpredictable, so that no text of a client can contain it. */
const seam = `json-text:${globalThis.crypto.randomUUID()}`;

/** Those that the current `writeJson` has met, in the order of the text. */
let met: JsonText[] | null = null;

export const jsonText = (text: string, bytes: number): JsonText => {
  const value: JsonText = {
    [mark]: true,
    text,
    bytes,
    toJSON: () => {
      if (met === null) return JSON.parse(text);
      met.push(value);
      return seam;
    },
  };
  return value;
};

export const isJsonText = (value: unknown): value is JsonText =>
  typeof value === 'object' && value !== null && mark in value;

const joined = (pieces: readonly string[], between: (index: number) => string): string =>
  pieces.reduce((text, piece, i) => text + between(i - 1) + piece);

/** `JSON.stringify` with the text of every JsonText in its place. */
export const writeJson = (value: unknown): WrittenJson => {
  const texts: JsonText[] = [];
  let outline: string;
  met = texts;
  try {
    outline = JSON.stringify(value);
  } finally {
    met = null;
  }
  if (texts.length === 0) return { text: outline, logged: outline };
  const pieces = outline.split(`"${seam}"`);
  return {
    text: joined(pieces, (i) => texts[i]?.text ?? 'null'),
    logged: joined(pieces, (i) => `"[${texts[i]?.bytes ?? 0} bytes]"`),
  };
};
