import { isUtf8 } from 'node:buffer';
import { commonError } from '../errors.ts';
import type { CommonCode } from '../errors.ts';

/** Length of the longest beginning that is UTF-8. */
const validLength = (bytes: Buffer): number => {
  // A beginning may end within a character.
  const whole = (end: number): number | undefined =>
    [end, end - 1, end - 2, end - 3].find((length) => length >= 0 && isUtf8(bytes.subarray(0, length)));
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (whole(middle) === undefined) bad = middle;
    else good = middle;
  }
  return whole(good) ?? 0;
};

/** The text, without a byte order mark. Throws what is not UTF-8 (RFC 8259, 8.1), which would lose letters. */
export const utf8Text = (bytes: Buffer, what = 'The body', code: CommonCode = 'INVALID_JSON'): string => {
  if (isUtf8(bytes)) return bytes.toString('utf8').replace(/^\uFEFF/, '');
  const at = validLength(bytes);
  throw commonError(code, {
    message: `${what} is not UTF-8: byte ${at + 1} is 0x${bytes.toString('hex', at, at + 1).toUpperCase()}.`,
    hint: 'encode text as UTF-8 before it is sent',
  });
};
