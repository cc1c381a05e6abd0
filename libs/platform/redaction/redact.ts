/** Redaction of JSON texts for logs: the pino logger and the request log use the same. */
import { createHash } from 'node:crypto';
import { isSecretName } from './names.ts';
import { finished } from './steps.ts';
import type { Steps } from './steps.ts';
import { mayHoldSecretValue, redacted, withoutSecretsIn } from './values.ts';

/** Shorter texts are never taken for files. */
const minBlobLength = 2_048;
const dataUrl = /^data:[\w/+.-]{1,100};base64,/;
const notBase64 = /[^\w+/\r\n-]/;

/** The replacement of a long base64 text; null when it is not base64. */
const blobNote = (text: string): string | null => {
  const content = text.slice(dataUrl.exec(text.slice(0, 128))?.[0].length ?? 0);
  const end = content.search(notBase64);
  if (end !== -1 && !/^={1,2}\s*$/.test(content.slice(end, end + 8))) return null;
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return `[${text.length} characters of base64, sha256 ${digest}…]`;
};

const maxQuickLength = 65_536;
/** Escapes other than those of line ends and tabs: they may be quotes of JSON in a string, or letters of a name. */
const decisiveEscape = /\\(?![nrt])/;
const isPlainName = (name: string): boolean => !name.includes('\\') && !isSecretName(name);

/**
 * True when a short text certainly contains nothing to redact: no JSON in strings, no secret name, no sign of a
 * secret value, no long text. This applies to most texts and costs a fraction of parsing them.
 */
const isHarmless = (text: string): boolean => {
  if (text.length > maxQuickLength || decisiveEscape.test(text) || mayHoldSecretValue(text)) return false;
  let last = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', last)) {
    if (at - last >= minBlobLength) return false;
    const next = text.charCodeAt(at + 1);
    if (next <= 32 || (next === 58 && !isPlainName(text.slice(last, at)))) return false;
    last = at + 1;
  }
  return true;
};

const isHarmlessValue = (text: string): boolean => text.length < minBlobLength && isHarmless(text);

interface Budget {
  /** No text is searched any further: what follows would not be kept. */
  readonly maxLength: number;
  /** Texts that look like JSON and are not: an exception takes longer than reading them. */
  failures: number;
}
const maxFailures = 1_000;

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']', '"': '"' };

/** The value of a JSON text; undefined when it is something else, or too long for one step. */
const parsed = (text: string, budget: Budget, maxLength: number): unknown => {
  const trimmed = text.trim();
  const closer = closers[trimmed[0] ?? ''];
  if (closer === undefined || !trimmed.endsWith(closer)) return undefined;
  if (trimmed.length > maxLength || budget.failures === 0) return undefined;
  try {
    return JSON.parse(trimmed);
  } catch {
    // Not JSON after all: the text is searched instead.
    budget.failures -= 1;
    return undefined;
  }
};

type Container = Record<string, unknown>;

/** An own property in any case, even `__proto__`. */
const set = (container: Container, name: string, value: unknown) =>
  Object.defineProperty(container, name, { value, enumerable: true, configurable: true, writable: true });

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;
const membersPerStep = 1_024;

/** Replaces the secrets of all values in a container, at any depth; false when there was none. */
const walk = function* (root: Container, budget: Budget): Steps<boolean> {
  let isChanged = false;
  const open = [root];
  let count = 0;
  for (let container = open.pop(); container; container = open.pop()) {
    const names = Array.isArray(container) ? null : Object.keys(container);
    const length = names?.length ?? (container['length'] as number);
    let isRenamed = false;
    for (let i = 0; i < length; i += 1) {
      const name = names?.[i] ?? `${i}`;
      const value = container[name];
      let shown = value;
      if (names && value !== null && isSecretName(name)) shown = redacted;
      else if (typeof value === 'string')
        shown = isHarmlessValue(value) ? value : yield* clean(value, budget);
      else if (isContainer(value)) open.push(value);
      const shownName = names && !isHarmlessValue(name) ? yield* clean(name, budget) : name;
      isRenamed ||= shownName !== name;
      // From the first name that changes on, all are set again, which keeps their order.
      if (isRenamed) delete container[name];
      if (isRenamed || shown !== value) {
        set(container, shownName, shown);
        isChanged = true;
      }
      count += 1;
      if (count % membersPerStep === 0) yield;
    }
  }
  return isChanged;
};

/** The depth and the values of JSON inside a string are not counted before. */
const maxInnerLength = 65_536;

/**
 * A text without its secrets. A body is written again, so that nothing is left in it but what was looked at; JSON in a
 * string only when it has secrets, since it may be the user's own text.
 */
const clean = function* (text: string, budget: Budget, isBody = false): Steps<string> {
  const note = text.length >= minBlobLength ? blobNote(text) : null;
  if (note !== null) return note;
  const root = { '': parsed(text, budget, isBody ? Number.POSITIVE_INFINITY : maxInnerLength) };
  if (root[''] !== undefined && ((yield* walk(root, budget)) || isBody)) {
    try {
      return JSON.stringify(root['']);
    } catch {
      // Nested too deeply to be written: the text is searched instead.
    }
  }
  const isLong = text.length > budget.maxLength;
  return yield* withoutSecretsIn(isLong ? `${text.slice(0, budget.maxLength)}…` : text, true);
};

/** JSON with the length and the beginning of the text; at most `maxBytes` of UTF-8. */
const cutWrapper = (original: string, beginning: string, maxBytes: number): string => {
  // An escaped quote takes two bytes, so only half of the space is used.
  const start = Buffer.from(beginning.slice(0, maxBytes / 2)).subarray(0, maxBytes / 2 - 64);
  return JSON.stringify({
    truncated: true,
    bytes: Buffer.byteLength(original),
    start: start.toString('utf8'),
  });
};

/**
 * A JSON text for a log, in steps: secrets by name and by value, at any depth and inside JSON in strings, and
 * long base64 texts are replaced; a text over `maxBytes` of UTF-8 is truncated inside a valid JSON wrapper
 * (M-5.8, M-8.24).
 */
export const redacting = function* (text: string, maxBytes: number): Steps<string> {
  const budget = { maxLength: maxBytes, failures: maxFailures };
  const end = text.endsWith('\n') ? '\n' : '';
  const line = text.slice(0, text.length - end.length);
  const shown = isHarmless(text) ? text : (yield* clean(line, budget, true)) + end;
  return Buffer.byteLength(shown) > maxBytes ? cutWrapper(text, shown, maxBytes) : shown;
};

/** Runs `redacting` synchronously, for texts of some kilobytes. */
export const redactedText = (text: string, maxBytes: number): string => finished(redacting(text, maxBytes));
