/**
 * Redacts secrets in what reaches a log or mail: by name at any depth, including JSON and parameters within texts, and
 * our own tokens by their form.
 */
import { createHash } from 'node:crypto';
import { isSecretName } from './names.ts';

export const redacted = '[redacted]';

/** A text that is always secret, or the name of a secret parameter or JSON member before its value. */
const forms = new RegExp(
  [
    String.raw`(?<![A-Za-z\d])dk_[\w-]{8,}`,
    String.raw`(?<![\w-])eyJ[\w-]*(?:\.[\w-]*){2,4}`,
    String.raw`[Aa][Pp][Ii]-[\dA-Za-z]{4}(?:-[\dA-Za-z]{4}){2}`,
    String.raw`\$argon2(?:id|i|d)\$[\w+/=,$-]+`,
    String.raw`(?<=\b(?:[Bb]earer|[Bb]asic)(?: {1,9}|%20))[\w.~+/-]{16,}=*`,
    String.raw`(?<=://[^\s/"'\\@:]{0,99}:)[^\s/"'\\@]+(?=@)`,
    String.raw`(?==|%3[Dd])(?<=(?<parameter>[\w.+[\]%-]{1,64}))(?:=|%3[Dd])`,
    String.raw`(?=")(?<="(?<member>[^"\\]{1,64}))"\s{0,9}:\s{0,9}`,
  ].join('|'),
  'g',
);
/** A text without any of these signs, like most, cannot match. */
const signs = /dk_|eyJ|\$argon2|:\/\/|=|%3[Dd]|":|[Aa][Pp][Ii]-|[Bb]earer|[Bb]asic/;
const minFormLength = 8;
/** The value after such a name; the end of an object or list is unknown. */
const values =
  /[[{][^]*|"(?:[^"\\]|\\.)*"?|'[^']*'?|(?:(?:Bearer|Basic)(?: |%20))?(?:(?!%26)[^&\s"'\\<>;,)}])*/y;

const nameOf = (written: string): string =>
  written.replace(/^.*%(?:26|3f|3d)/is, '').replace(/%[\da-f]{2}/gi, ' ');

const withoutForms = (text: string): string => {
  let shown = '';
  let copied = 0;
  forms.lastIndex = 0;
  for (let found = forms.exec(text); found; found = forms.exec(text)) {
    const { parameter, member } = found.groups ?? {};
    const name = parameter === undefined ? member : nameOf(parameter);
    let [start, end] = [found.index, forms.lastIndex];
    if (name !== undefined) {
      if (!isSecretName(name)) continue;
      values.lastIndex = start = end;
      end += values.exec(text)?.[0].length ?? 0;
      if (end === start) continue;
    }
    const quote = name === undefined ? '' : (/["']/.exec(text[start] ?? '')?.[0] ?? '');
    shown += `${text.slice(copied, start)}${quote}${redacted}${quote}`;
    forms.lastIndex = copied = end;
  }
  return copied === 0 ? text : shown + text.slice(copied);
};

/** Shorter texts are never treated as files. */
const minBlobLength = 2_048;
const blob = /^(?:data:[\w/+.-]{1,100};base64,)?[\w+/\r\n-]*={0,2}\s*$/;

const blobNote = (text: string): string => {
  const digest = createHash('sha256')
    .update(text.slice(text.indexOf(',') + 1))
    .digest('hex');
  return `[${text.length} characters of base64, sha256 ${digest.slice(0, 16)}…]`;
};

/** JSON within texts is parsed up to this length, and attempts end after this many failures. */
const maxInnerLength = 65_536;
const maxFailures = 1_000;
/** No accepted body is nested more deeply. */
const maxDepth = 128;
const inner = /^\s*(?:\{[^]*\}|\[[^]*\]|"[^]*")\s*$/;

const redactor = () => {
  let failures = 0;

  const text = (given: string, depth: number): string => {
    if (given.length < minFormLength) return given;
    if (given.length >= minBlobLength && blob.test(given)) return blobNote(given);
    if (given.length <= maxInnerLength && failures < maxFailures && inner.test(given))
      try {
        const read: unknown = JSON.parse(given);
        const shown = value(read, depth + 1);
        // Otherwise searched as text, too, for duplicate members that parsing drops.
        if (shown !== read) return JSON.stringify(shown);
      } catch {
        // Not JSON after all.
        failures += 1;
      }
    return signs.test(given) ? withoutForms(given) : given;
  };

  const object = (given: Readonly<Record<string, unknown>>, depth: number): unknown => {
    let changed: Map<string, readonly [string, unknown]> | undefined;
    for (const name of Object.keys(given)) {
      const each = given[name];
      const entry = [
        text(name, depth),
        each !== null && isSecretName(name) ? redacted : value(each, depth),
      ] as const;
      if (entry[0] !== name || !Object.is(entry[1], each)) (changed ??= new Map()).set(name, entry);
    }
    return changed
      ? Object.fromEntries(Object.entries(given).map((entry) => changed.get(entry[0]) ?? entry))
      : given;
  };

  const list = (given: readonly unknown[], depth: number): unknown => {
    let shown: unknown[] | undefined;
    for (const [i, each] of given.entries()) {
      const kept = value(each, depth);
      if (!Object.is(kept, each)) (shown ??= [...given])[i] = kept;
    }
    return shown ?? given;
  };

  /** Returns the value itself if it contains no secret. */
  const value = (given: unknown, depth: number): unknown => {
    if (typeof given === 'string') return text(given, depth);
    if (typeof given !== 'object' || given === null) return given;
    // Logged in another form: a time, or a text logged by its size.
    if ('toJSON' in given && typeof given.toJSON === 'function') return given;
    if (depth > maxDepth) return redacted;
    return Array.isArray(given)
      ? list(given, depth + 1)
      : object(given as Record<string, unknown>, depth + 1);
  };
  return value;
};

/** The value without secrets (M-5.8) and with notes in place of long base64; the value itself if it has neither. */
export const redact = <T>(value: T): T => redactor()(value, 0) as T;

/** A text of at most `maxBytes` in UTF-8; a longer one is truncated inside valid JSON (M-8.24). */
export const cut = (text: string, maxBytes: number): string => {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return text;
  // An escaped quote takes two bytes, so only half of the space is used.
  const start = Buffer.from(text.slice(0, maxBytes / 2)).subarray(0, maxBytes / 2 - 64);
  return JSON.stringify({ truncated: true, bytes, start: start.toString('utf8') });
};
