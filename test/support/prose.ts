/** A comment, or a text of at least two words, with its line. */
export interface Prose {
  line: number;
  text: string;
}

/**
 * Comments, strings, templates and regular expressions of TypeScript. A slash starts an expression unless the
 * preceding character ends a value.
 */
const token =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=(?:^|[^\w$)\]}'"`\s])\s*|\breturn )\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n*[])+\//gm;

const isRegex = (text: string): boolean => text.startsWith('/') && !/^\/[/*]/.test(text);

/** Without comment markers and the breaks of wrapped lines. */
const unwrapped = (text: string): string =>
  text.replace(/\n\s*(?:\*(?!\/)|\/\/)? ?/g, ' ').replace(/^(?:\/\*\*?|\/\/|['"`])\s*/, '');

/** What a person reads in a source file: comments and texts, but no identifiers and no wire names. */
export const proseOf = (source: string): Prose[] =>
  [...source.matchAll(token)]
    .filter(([text]) => !isRegex(text) && / /.test(text))
    .map(({ 0: text, index }) => ({
      line: source.slice(0, index).split('\n').length,
      text: unwrapped(text),
    }));
