import { commonError } from '../errors.ts';

const maxDepth = 64;
/** Values of lists and members of objects. */
const maxValues = 400_000;
/** Each name that differs from all others is kept by the engine: as many hold the thread for 150 ms. */
const maxMembers = 200_000;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
/** `[` and `{`, `]` and `}` differ in a single bit from each other. */
const opening = 0x7b;
const closing = 0x7d;
const braces = 0x20;

/** Throws JSON_TOO_DEEP or PAYLOAD_TOO_LARGE; whether it is JSON at all is for the parser to say. */
export const assertBounded = (bytes: Uint8Array): void => {
  let depth = 0;
  let values = 1;
  let members = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === comma) values += 1;
    else if (byte === colon) members += 1;
    else if ((byte | braces) === closing) depth -= 1;
    else if ((byte | braces) === opening) {
      values += 1;
      depth += 1;
      if (depth > maxDepth)
        throw commonError('JSON_TOO_DEEP', {
          message: `The body is nested deeper than ${maxDepth} levels.`,
        });
    }
    if (values > maxValues || members > maxMembers)
      throw commonError('PAYLOAD_TOO_LARGE', {
        message: `The body contains more than ${maxValues} values or ${maxMembers} members of objects.`,
      });
  }
};
