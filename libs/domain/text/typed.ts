/** What people type: keyboards of phones, and word processors, write other dashes for a hyphen. */
const dashes = /[\p{Pd}\u2212]/gu;

export const withHyphens = (text: string): string => text.replaceAll(dashes, '-');

/** The issued form of a code that was typed; null when it cannot be one. */
export const typedCode = (text: string, form: RegExp): string | null => {
  const code = withHyphens(text).replaceAll(/[\s-]/g, '').toUpperCase();
  return form.test(code) ? code : null;
};
