/**
 * Redacts a JSON text without parsing it: one pass over any nesting and over JSON inside strings, at every
 * level of quoting, even when truncated.
 */
import { blobNote, minBlobLength } from './blob.ts';
import { isSecretName } from './names.ts';
import { createOutput } from './output.ts';
import { afterSpace, quoteFinder, quoteOf, unescaped } from './quoting.ts';
import type { Quote } from './quoting.ts';
import { endOfValue } from './skip.ts';
import { stepLength } from './steps.ts';
import type { Steps } from './steps.ts';
import { mayHoldSecretValue, nameBefore, redacted } from './values.ts';

const maxNameLength = 1_024;
const maxQuickLength = 65_536;
/** A replacement takes as long as reading this many characters. */
const replacementCost = 256;

/**
 * Start of the value of a secret name: after `"name":`, of which this is the last quote, or here after `name=`.
 */
const secretValue = (
  text: string,
  { level, start, end }: Quote,
  opened: number | undefined,
): number | null => {
  // An equals sign occurs only in a string, and what follows its last quote is not a value.
  if (text[start - 1] === '=' && level > 0 && !',}]:'.includes(text[afterSpace(text, end)] ?? ','))
    return isSecretName(nameBefore(text, start - 1)) ? start : null;
  if (opened === undefined || start - opened > maxNameLength) return null;
  const colon = afterSpace(text, end);
  if (text[colon] !== ':') return null;
  return isSecretName(unescaped(text.slice(opened, start), level)) ? afterSpace(text, colon + 1) : null;
};

/**
 * True when a short text certainly contains nothing to redact: no JSON in strings, no secret name, no sign of a
 * secret value, no long text. This applies to most texts and costs a quarter of a scan.
 */
export const isHarmless = (text: string): boolean => {
  if (text.length > maxQuickLength || text.includes('\\') || mayHoldSecretValue(text)) return false;
  let last = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', last)) {
    if (at - last >= minBlobLength) return false;
    const next = text.charCodeAt(at + 1);
    if (next <= 32 || (next === 58 && isSecretName(text.slice(last, at)))) return false;
    last = at + 1;
  }
  return true;
};

export interface Redacted {
  text: string;
  /** True when there is more than `maxLength`; `text` is then the beginning. */
  isCut: boolean;
}

/** The text with secrets by name and by value and long base64 texts replaced; valid JSON remains valid. */
export const redactJson = function* (text: string, maxLength: number): Steps<Redacted> {
  const output = createOutput(text, maxLength);
  const nextQuote = quoteFinder(text);
  /** Ends of the last quotes by level, inside the current string. */
  const quotes: (number | undefined)[] = [];
  let rested = 0;
  let quote = nextQuote(0);
  for (; quote && !output.isFull(); quote = nextQuote(Math.max(quote.end, output.copied()))) {
    const { level, start, end } = quote;
    if (start - rested > stepLength) {
      rested = start;
      yield;
    }
    if (level === Number.POSITIVE_INFINITY) continue;
    const opened = quotes[level];
    quotes.length = level + 1;
    quotes[level] = end;
    if (opened !== undefined && start - opened >= minBlobLength) {
      const note = yield* blobNote(text, opened, start);
      if (note === null) continue;
      yield* output.copyTo(opened);
      output.replace(note, start);
      continue;
    }
    if (start - output.copied() > stepLength) yield* output.copyTo(start);
    const value = secretValue(text, quote, opened);
    const valueEnd = value === null ? null : yield* endOfValue(text, nextQuote, value, level);
    if (value === null || valueEnd === null) continue;
    yield* output.copyTo(value);
    output.replace(quoteOf(level) + redacted + quoteOf(level), valueEnd);
    quotes.length = level;
    rested -= replacementCost;
  }
  yield* output.copyTo(text.length);
  return { text: output.text(), isCut: output.isFull() };
};
