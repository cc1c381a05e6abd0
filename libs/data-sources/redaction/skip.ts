import { quoteAt } from './quoting.ts';
import type { QuoteFinder } from './quoting.ts';
import { stepLength } from './steps.ts';
import type { Steps } from './steps.ts';

const literalEnds = ' ,]}"\\\n\r\t';

const endOfLiteral = (text: string, from: number): number | null => {
  let end = from;
  while (end < text.length && !literalEnds.includes(text[end] ?? '')) end += 1;
  return end === from || text.slice(from, end) === 'null' ? null : end;
};

/** Depth after the brackets between two positions; stops after the one that closes the structure. */
const brackets = (text: string, from: number, to: number, depth: number): { at: number; depth: number } => {
  let open = depth;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 123 || code === 91) open += 1;
    else if (code === 125 || code === 93) {
      open -= 1;
      if (open === 0) return { at: at + 1, depth: 0 };
    }
  }
  return { at: to, depth: open };
};

/** When truncated, both end with the enclosing string or with the text. */
const endOfString = function* (
  text: string,
  nextQuote: QuoteFinder,
  from: number,
  level: number,
): Steps<number> {
  let rested = from;
  for (let quote = nextQuote(from); quote; quote = nextQuote(quote.end)) {
    if (quote.level <= level) return quote.level === level ? quote.end : quote.start;
    if (quote.end - rested > stepLength) {
      rested = quote.end;
      yield;
    }
  }
  return text.length;
};

const endOfStructure = function* (
  text: string,
  nextQuote: QuoteFinder,
  from: number,
  level: number,
): Steps<number> {
  let at = from;
  let depth = 0;
  for (let rested = from; ;) {
    const quote = nextQuote(at);
    const stop = quote?.start ?? text.length;
    while (at < stop) {
      ({ at, depth } = brackets(text, at, Math.min(stop, at + stepLength), depth));
      if (depth === 0) return at;
      if (at < stop) yield;
    }
    if (!quote || quote.level < level) return stop;
    at = quote.level === level ? yield* endOfString(text, nextQuote, quote.end, level) : quote.end;
    if (at - rested > stepLength) {
      rested = at;
      yield;
    }
  }
};

/**
 * End of the string, object, array or literal that begins at `from`, with quotes of this level. Null when there
 * is none, and for `null`.
 */
export const endOfValue = function* (
  text: string,
  nextQuote: QuoteFinder,
  from: number,
  level: number,
): Steps<number | null> {
  const opening = quoteAt(text, from);
  if (opening?.level === level) return yield* endOfString(text, nextQuote, opening.end, level);
  if (text[from] === '{' || text[from] === '[') return yield* endOfStructure(text, nextQuote, from, level);
  return endOfLiteral(text, from);
};
