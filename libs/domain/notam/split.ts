const icaoHeader =
  /^[ \t]*\(?(?:(?:[A-Z]{4}[- ])?[A-ZА-Я]{1,2}\d{1,4}\/\d{2}(?:[ \t]+NOTAM[NRC]?\b.*)?|\d{1,2}\/\d{3,5}[ \t]+NOTAM[NRC]?\b.*)$/;
const faaHeader = /^[ \t]*!/;
/** The beginning of a SNOWTAM, with or without the heading of its message. */
export const snowtamStart = String.raw`(?:SW[A-Z]{2}\d{4} [A-Z]{4} \d{8}\b|\(?SNOWTAM \d{4}\b)`;
const snowtamHeader = new RegExp(String.raw`^[ \t]*${snowtamStart}`);
const faaTimes = /^\s*\d{10}\s?-\s?(?:\d{10}|PERM|UFN)/;
const bodyLine = /^\s*(?:[QEЩЕ]\)|!)/;
/** Longer lines are no headers; no pattern sees more of one. */
const maxHeaderLength = 400;
const firstItem = /^[ \t]*(?:[QЩ]\)|DU[ \t]*:|A\))/;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** A line with a number and "NOTAM.", or a number alone that an item follows. */
const isHeader = (line: string, following: string): boolean => {
  const head = line.slice(0, maxHeaderLength).trimEnd();
  return (
    faaHeader.test(head) ||
    snowtamHeader.test(head) ||
    (icaoHeader.test(head) && (/\bNOTAM/.test(head) || firstItem.test(following)))
  );
};

/**
 * Splits a file or stream into NOTAM texts. A text starts at its number (or at item Q after a blank line);
 * blank lines inside item E belong to it; a line after a blank line that is indented less than the number is a
 * heading of the briefing and ends it.
 */
export const createSplitter = () => {
  let lines: string[] = [];
  let hasBody = false;
  let indent = 0;
  let blankBefore = true;
  let held: string | null = null;
  const take = (): string[] => {
    const text = lines.join('\n').trim();
    lines = [];
    hasBody = false;
    return text === '' ? [] : [text];
  };
  const begin = (line: string): void => {
    lines = [line];
    hasBody = bodyLine.test(line);
  };
  const step = (line: string, following: string): string[] => {
    if (line.trim() === '') {
      blankBefore = true;
      if (lines.length > 0) lines.push('');
      return [];
    }
    const afterBlank = blankBefore;
    blankBefore = false;
    // The heading of a SNOWTAM has two lines.
    if (lines.length === 1 && /^\s*\(?SNOWTAM /.test(line) && /^\s*SW[A-Z]{2}\d/.test(lines[0] ?? '')) {
      lines.push(line);
      return [];
    }
    if (
      isHeader(line, following) ||
      (afterBlank && /^\s*Q\)/.test(line) && (hasBody || lines.length === 0))
    ) {
      const done = take();
      indent = indentOf(line);
      begin(line);
      return done;
    }
    if (lines.length === 0) return afterBlank && !/^\s/.test(line) ? (begin(line), (indent = 0), []) : [];
    if (afterBlank && indentOf(line) < indent) return take();
    // An FAA text has no blank lines, except before its times.
    if (afterBlank && faaHeader.test(lines[0] ?? '') && !faaTimes.test(line)) {
      const done = take();
      begin(line);
      return done;
    }
    lines.push(line);
    hasBody ||= bodyLine.test(line);
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
