/** The media type of a file by its content. */

/** Number of bytes needed to detect the type of a file. */
export const sampleBytes = 4_100;

/** Declarations, comments and instructions before the first element of an XML document. */
const prolog = /^\uFEFF?\s*(?:(?:<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\]\s*)?>)\s*)*/i;

const isSvg = (sample: Buffer): boolean =>
  /^<(?:[\w-]{1,50}:)?svg[\s/>]/.test(sample.toString('utf8').replace(prolog, ''));

/** A header within the first 1,024 bytes, as readers accept it (ISO 32000-2, annex I), unless these are a text of another kind. */
const pdfAfterOthers = /^(?!(?:\xef\xbb\xbf)?\s*[{["<#@])[\s\S]{0,1023}?%PDF-[12]\.\d/;

/** By the first bytes, regardless of any name. Undefined for what is not known. */
export const contentType = async (sample: Buffer): Promise<string | undefined> => {
  if (isSvg(sample)) return 'image/svg+xml';
  // Loaded with the first file, not with every process.
  const { fileTypeFromBuffer } = await import('file-type');
  const mime = (await fileTypeFromBuffer(sample))?.mime;
  return mime ?? (pdfAfterOthers.test(sample.toString('latin1')) ? 'application/pdf' : undefined);
};
