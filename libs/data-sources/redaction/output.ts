import { stepLength } from './steps.ts';
import type { Steps } from './steps.ts';
import { withoutSecretValues } from './values.ts';

const maxSecretLength = 4_096;
const piecesAtOnce = 256;

const isSecretCharacter = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 45 ||
  code === 46 ||
  code === 95;

/** Position after the last of these characters before `at`, or null if none is near. */
const lastAfter = (text: string, at: number, characters: string): number | null => {
  for (let place = at; at - place < maxSecretLength; place -= 1)
    if (characters.includes(text.charAt(place - 1))) return place;
  return null;
};

/**
 * Position at which a long text can be split: after the end of a string or line, which no secret and no name of one
 * crosses; else between two parameters of a query string; else where no key or token is split.
 */
const dividedBefore = (text: string, at: number): number => {
  const boundary = lastAfter(text, at, '"\n') ?? lastAfter(text, at, '&');
  if (boundary !== null) return boundary;
  let place = at;
  while (at - place < maxSecretLength && isSecretCharacter(text.charCodeAt(place - 1))) place -= 1;
  return at - place < maxSecretLength ? place : at;
};

export interface Output {
  /** Position up to which the text has been copied or replaced. */
  readonly copied: () => number;
  readonly isFull: () => boolean;
  /** Copies up to this position, without secret values. */
  readonly copyTo: (end: number) => Steps<void>;
  /** Writes `content` instead of the text up to this position. */
  readonly replace: (content: string, end: number) => void;
  readonly text: () => string;
}

/** Builds the redacted text; beyond `maxLength` it is full and copies no more. */
export const createOutput = (text: string, maxLength: number): Output => {
  const blocks: string[] = [];
  let pieces: string[] = [];
  let length = 0;
  let copied = 0;
  const isFull = () => length > maxLength;

  const emit = (piece: string, end: number) => {
    // Joined block by block: joining all pieces at the end would take milliseconds.
    if (pieces.push(piece) >= piecesAtOnce) {
      blocks.push(pieces.join(''));
      pieces = [];
    }
    length += piece.length;
    copied = end;
  };

  return {
    copied: () => copied,
    isFull,
    *copyTo(end) {
      for (let from = copied; from < end && !isFull(); from = copied) {
        const place = end - from > stepLength ? dividedBefore(text, from + stepLength) : end;
        emit(withoutSecretValues(text.slice(from, place)), place);
        if (end > copied) yield;
      }
    },
    replace: emit,
    text: () => blocks.join('') + pieces.join(''),
  };
};
