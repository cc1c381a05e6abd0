/** What a document of a plan may contain. */

/** The document is not JSON or XML, or is larger than a plan can be. */
export class OfpDocumentError extends Error {
  override name = 'OfpDocumentError';
}

export const maxDepth = 64;
/** A long flight has some 30,000 values. */
export const maxValues = 200_000;

export const tooDeep = (): OfpDocumentError =>
  new OfpDocumentError(`it is nested deeper than ${maxDepth} levels`);
export const tooMany = (): OfpDocumentError => new OfpDocumentError(`it has more than ${maxValues} values`);
