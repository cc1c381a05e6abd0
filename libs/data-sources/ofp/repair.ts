/** Faults of planners' documents that a strict parser refuses although their meaning is clear. */

const controlEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A plan has at most some thousand. */
const maxRepairs = 100_000;

/** JSON with line breaks inside texts, and with a comma after the last entry. */
export const repairedJson = (text: string): string => {
  let isInString = false;
  let copiedTo = 0;
  const parts: string[] = [];
  const replace = (at: number, by: string) => {
    parts.push(text.slice(copiedTo, at), by);
    copiedTo = at + 1;
  };
  for (let i = 0; i < text.length; i += 1) {
    if (parts.length > 2 * maxRepairs) return text;
    const char = text[i] as string;
    if (isInString) {
      if (char === '\\') i += 1;
      else if (char === '"') isInString = false;
      else if (char < ' ') replace(i, controlEscape(char));
    } else if (char === '"') isInString = true;
    else if (char === ',' && /^\s{0,50}[}\]]/.test(text.slice(i + 1, i + 60))) replace(i, '');
  }
  parts.push(text.slice(copiedTo));
  return parts.join('');
};

const withAmpersands = (text: string): string =>
  text.replaceAll(/&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,9});)/gi, '&amp;');

const open = '<![CDATA[';
const close = ']]>';

/** XML with ampersands that are not the start of an entity; CDATA is left alone. */
export const repairedXml = (text: string): string => {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const from = text.indexOf(open, at);
    const to = from < 0 ? -1 : text.indexOf(close, from);
    if (to < 0) break;
    parts.push(withAmpersands(text.slice(at, from)), text.slice(from, to + close.length));
    at = to + close.length;
  }
  parts.push(withAmpersands(text.slice(at)));
  return parts.join('');
};
