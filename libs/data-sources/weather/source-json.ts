import { SourceError, refuseHtml } from '#domain/source-error.ts';

/** Real answers nest up to 20 levels; deeper ones would exhaust the stack of recursive readers. */
const maxDepth = 100;

const quote = 0x22;
const backslash = 0x5c;

/** Nesting depth of arrays and objects, and number of values; takes linear time. */
export const jsonExtent = (text: string): { depth: number; values: number } => {
  let [depth, deepest, values] = [0, 0, 0];
  let isText = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (isText) {
      if (code === backslash) i += 1;
      else if (code === quote) isText = false;
    } else if (code === quote) isText = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      values += 1;
      deepest = Math.max(deepest, depth);
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
    else if (code === 0x2c) values += 1;
  }
  return { depth: deepest, values };
};

/** Parses JSON from a source. Throws SourceError for web pages, invalid JSON and over 100 levels of nesting. */
export const parseSourceJson = (text: string, what: string): unknown => {
  refuseHtml(text);
  if (jsonExtent(text).depth > maxDepth)
    throw new SourceError('NOT_JSON', `${what} nests more than ${maxDepth} levels deep.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SourceError('NOT_JSON', `${what} is not valid JSON: ${reason.slice(0, 120)}`);
  }
};
