/** Faults of planners' JSON that a strict parser refuses although their meaning is clear. */

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
