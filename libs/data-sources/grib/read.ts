import { GribError } from './error.ts';
import { readMessage } from './message.ts';
import type { GribEntry } from './message.ts';

/** A file is abandoned after this many damaged message headers. */
const maxBroken = 64;
const maxMessageOctets = 128 * 1024 * 1024;
const magic = Buffer.from('GRIB', 'latin1');

/**
 * Reads the messages in a file lazily and yields one entry per field. Octets between messages are skipped. Unreadable
 * parts are yielded as faults with a typed error, and reading continues after them; nothing is thrown.
 */
export const readGrib = function* (input: Uint8Array): Generator<GribEntry> {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  let message = 0;
  let broken = 0;
  let from = 0;
  while (broken < maxBroken) {
    const offset = bytes.indexOf(magic, from);
    if (offset < 0) break;
    message += 1;
    const frame = frameOf(bytes, offset);
    if (frame instanceof GribError) {
      broken += 1;
      yield { kind: 'fault', message, field: 0, error: frame };
      from = offset + magic.length;
      continue;
    }
    yield* readMessage(frame, message);
    from = offset + frame.length;
  }
  const fault = (error: GribError): GribEntry => ({ kind: 'fault', message, field: 0, error });
  if (message === 0) yield fault(new GribError('NOT_GRIB', 'no GRIB message found'));
  if (broken >= maxBroken)
    yield fault(new GribError('LIMIT_EXCEEDED', `${broken} broken messages, giving up`));
};

/** Octets of one complete edition 2 message, from `GRIB` to `7777`. */
const frameOf = (bytes: Buffer, offset: number): Uint8Array | GribError => {
  if (offset + 8 > bytes.length) return new GribError('TRUNCATED', 'the file ends inside section 0');
  const edition = bytes[offset + 7] ?? 0;
  if (edition !== 2) return new GribError('UNSUPPORTED_EDITION', `GRIB edition ${edition} is not supported`);
  if (offset + 16 > bytes.length) return new GribError('TRUNCATED', 'the file ends inside section 0');
  const length = Number(bytes.readBigUInt64BE(offset + 8));
  if (length > maxMessageOctets)
    return new GribError('LIMIT_EXCEEDED', `a message of ${length} octets is over the limit`);
  if (length < 41) return new GribError('BAD_STRUCTURE', `a message of ${length} octets is too short`);
  if (offset + length > bytes.length)
    return new GribError(
      'TRUNCATED',
      `the message needs ${length} octets, the file has ${bytes.length - offset} left`,
    );
  const end = offset + length;
  if (bytes.readUInt32BE(end - 4) !== 0x37373737)
    return new GribError('BAD_STRUCTURE', 'the end marker 7777 is not where the length says');
  return bytes.subarray(offset, end);
};
