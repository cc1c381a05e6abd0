/** JSON stored as text or in a file and sent unchanged: inside an answer it is neither parsed nor serialised again. */

const mark = Symbol('JSON text');

export interface JsonText {
  readonly [mark]: true;
  readonly text: string;
  /** UTF-8 bytes, which the log shows instead of the text. */
  readonly bytes: number;
  /** The parsed value, for everyone except `writeJson`. */
  toJSON: () => unknown;
}

/** JSON that is not held in memory. */
export interface JsonSource {
  readonly bytes: number;
  /** The text in UTF-8; can be read once. */
  readonly read: () => AsyncIterable<Uint8Array>;
  /** Its size, for everyone except `writeJson`. */
  toJSON: () => unknown;
}

export interface WrittenJson {
  /** To be concatenated; a single text unless there is a JsonSource. */
  parts: readonly (string | JsonSource)[];
  /** The text with a size in place of each JsonText and JsonSource. */
  logged: string;
}

/** Marks the place of a JsonText; random, so that no client's text can contain it. */
const seam = `json-text:${globalThis.crypto.randomUUID()}`;

/** The values found by the running `writeJson`, in the order of the text. */
let met: (JsonText | JsonSource)[] | null = null;

/** Serialises as its marker within `writeJson`, which records it. */
const placed = (value: JsonText | JsonSource, otherwise: () => unknown): unknown => {
  if (met === null) return otherwise();
  met.push(value);
  return seam;
};

export const jsonText = (text: string, bytes: number): JsonText => {
  const value: JsonText = { [mark]: true, text, bytes, toJSON: () => placed(value, () => JSON.parse(text)) };
  return value;
};

export const jsonSource = (bytes: number, read: JsonSource['read']): JsonSource => {
  const value: JsonSource = { bytes, read, toJSON: () => placed(value, () => `[${bytes} bytes]`) };
  return value;
};

export const isJsonText = (value: unknown): value is JsonText =>
  typeof value === 'object' && value !== null && mark in value;

/** `JSON.stringify` with each JsonText and JsonSource inserted. */
export const writeJson = (value: unknown): WrittenJson => {
  const values: (JsonText | JsonSource)[] = [];
  let outline: string;
  met = values;
  try {
    outline = JSON.stringify(value);
  } finally {
    met = null;
  }
  if (values.length === 0) return { parts: [outline], logged: outline };
  const [head = '', ...tails] = outline.split(`"${seam}"`);
  const parts: (string | JsonSource)[] = [];
  let [text, logged] = [head, head];
  for (const [i, tail] of tails.entries()) {
    const found = values[i];
    logged += `"[${found?.bytes ?? 0} bytes]"${tail}`;
    if (found === undefined || isJsonText(found)) text += `${found?.text ?? 'null'}${tail}`;
    else {
      parts.push(text, found);
      text = tail;
    }
  }
  return { parts: [...parts, text], logged };
};
