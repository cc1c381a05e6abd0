import { createHash } from 'node:crypto';
import { stepLength } from './steps.ts';
import type { Steps } from './steps.ts';

/** Shorter texts are always kept. */
export const minBlobLength = 2_048;

const start = /^data:[\w/+.-]{1,100};base64,/;
/** Base64 in both alphabets; a backslash is part of `\/` or of an escaped line break. */
const middle = /^[\w+/\\-]*$/;
const end = /^[\w+/\\-]*={0,2}$/;

/** The replacement of a long base64 text between two positions; null when it is not base64. */
export const blobNote = function* (text: string, from: number, to: number): Steps<string | null> {
  const prefix = start.exec(text.slice(from, from + 128))?.[0].length ?? 0;
  const hash = createHash('sha256');
  for (let at = from + prefix; at < to; at += stepLength) {
    const isLast = at + stepLength >= to;
    const part = text.slice(at, Math.min(to, at + stepLength));
    if (!(isLast ? end : middle).test(part)) return null;
    hash.update(part);
    if (!isLast) yield;
  }
  return `[${to - from} characters of base64, sha256 ${hash.digest('hex').slice(0, 16)}…]`;
};
