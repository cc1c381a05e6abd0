/** `*`, or an origin as browsers send it (lower case, no default port); undefined for anything else. */
export const originOf = (text: string): string | undefined => {
  if (text === '*') return text;
  if (!/^https?:\/\/[^/?#@\s]+$/i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).origin;
};
