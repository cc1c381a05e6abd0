import { SourceError } from '#domain/source-error.ts';
import { assertText } from '../text.ts';
import { isZip, unzip } from '../unpack.ts';

const maxUnpackedBytes = 600_000_000;

/** The file of the whole set: archives also contain one file per state. */
export const obstacleFileOf = async (bytes: Buffer): Promise<Buffer> => {
  if (!isZip(bytes)) return bytes;
  const files = (await unzip(bytes, maxUnpackedBytes)).filter(({ name }) => /\.dat$/i.test(name));
  const whole = files.find(({ name }) => /(?:^|\/)DOF\.DAT$/i.test(name));
  const largest = files.toSorted((a, b) => b.bytes.length - a.bytes.length)[0];
  const file = whole ?? largest;
  if (!file) throw new SourceError('CORRUPT', 'The archive contains no obstacle file (DOF.DAT).');
  assertText(file.bytes, file.name);
  return file.bytes;
};
