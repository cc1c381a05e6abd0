/** The media type of a file by its content. */

/** Number of bytes needed to detect the type of a file. */
export const sampleBytes = 4_100;

/** Declarations, comments and instructions before the first element of an XML document. */
const prolog = /^\uFEFF?\s*(?:(?:<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\]\s*)?>)\s*)*/i;

const isSvg = (sample: Buffer): boolean =>
  /^<(?:[\w-]{1,50}:)?svg[\s/>]/.test(sample.toString('utf8').replace(prolog, ''));

/** By the first bytes, regardless of any name. Undefined for what is not known. */
export const contentType = async (sample: Buffer): Promise<string | undefined> => {
  if (isSvg(sample)) return 'image/svg+xml';
  // Loaded with the first file, not with every process.
  const { fileTypeFromBuffer } = await import('file-type');
  return (await fileTypeFromBuffer(sample))?.mime;
};
