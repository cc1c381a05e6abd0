const icaoHeader = /^[ \t]*\(?(?:[A-Z]{4}[- ])?[A-ZА-Я]{1,2}\d{1,4}\/\d{2}(?:[ \t]+NOTAM[NRC]?\b.*)?[ \t]*$/;
const faaHeader = /^[ \t]*!/;
const firstItem = /^[ \t]*(?:[QЩ]\)|DU[ \t]*:|A\))/;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** A line with a number and "NOTAM.", or a number alone that an item follows. */
const isHeader = (line: string, following: string): boolean =>
  faaHeader.test(line) || (icaoHeader.test(line) && (/\bNOTAM/.test(line) || firstItem.test(following)));

/**
 * Splits a file or stream into NOTAM texts. A text starts at its number (or at item Q after a blank line);
 * blank lines inside item E belong to it; a line after a blank line that is indented less than the number is a
 * heading of the briefing and ends it.
 */
export const createSplitter = () => {
  let lines: string[] = [];
  let indent = 0;
  let blankBefore = true;
  let held: string | null = null;
  const take = (): string[] => {
    const text = lines.join('\n').trim();
    lines = [];
    return text === '' ? [] : [text];
  };
  const step = (line: string, following: string): string[] => {
    if (line.trim() === '') {
      blankBefore = true;
      if (lines.length > 0) lines.push('');
      return [];
    }
    const afterBlank = blankBefore;
    blankBefore = false;
    const hasBody = lines.some((known) => /^\s*(?:[QEЩЕ]\)|!)/.test(known));
    if (
      isHeader(line, following) ||
      (afterBlank && /^\s*Q\)/.test(line) && (hasBody || lines.length === 0))
    ) {
      const done = take();
      indent = indentOf(line);
      lines = [line];
      return done;
    }
    if (lines.length === 0)
      return afterBlank && !/^\s/.test(line) ? ((lines = [line]), (indent = 0), []) : [];
    if (afterBlank && indentOf(line) < indent) return take();
    // An FAA text has no blank lines.
    if (afterBlank && faaHeader.test(lines[0] ?? '')) {
      const done = take();
      lines = [line];
      return done;
    }
    lines.push(line);
    return [];
  };
  return {
    /** Complete texts that this line ended. */
    push(line: string): string[] {
      const previous = held;
      held = line.replace(/\r$/, '').replace(/\f/g, '');
      return previous === null ? [] : step(previous, held);
    },
    end(): string[] {
      const last = held === null ? [] : step(held, '');
      held = null;
      return [...last, ...take()];
    },
  };
};

/** All texts of a whole file. */
export const splitNotamTexts = (text: string): string[] => {
  const splitter = createSplitter();
  const out: string[] = [];
  for (const line of text.split('\n')) out.push(...splitter.push(line));
  return [...out, ...splitter.end()];
};
