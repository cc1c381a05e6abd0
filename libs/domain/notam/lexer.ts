/** One kind of words at a place, and the token that it makes: undefined for none, null where the text is not understood. */
export type Form<Token> = readonly [
  form: RegExp,
  make: (match: RegExpExecArray, now: Date | undefined) => Token | null | undefined,
];

/** Cuts a text into tokens, one pass from left to right, the first form that fits at each place; null: not understood. */
export const lex = <Token>(text: string, forms: readonly Form<Token>[], now?: Date): Token[] | null => {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    let match: RegExpExecArray | null = null;
    for (const [form, make] of forms) {
      form.lastIndex = at;
      match = form.exec(text);
      if (!match) continue;
      const token = make(match, now);
      if (token === null) return null;
      if (token !== undefined) tokens.push(token);
      break;
    }
    if (!match) return null;
    at += match[0].length;
  }
  return tokens;
};
