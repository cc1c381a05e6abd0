/** HTML as a tagged template: values are escaped unless they are HTML themselves. */
const marker = Symbol('html');

/** Text for an HTML element or a quoted attribute. */
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'`]/g, (character) => `&#${character.codePointAt(0) ?? 0};`);

export interface Html {
  readonly [marker]: true;
  readonly text: string;
}

export type Insert = Html | string | number | null | undefined | false | readonly Insert[];

export const isHtml = (value: unknown): value is Html =>
  typeof value === 'object' && value !== null && marker in value;

const textOf = (value: Insert): string => {
  if (value === null || value === undefined || value === false) return '';
  if (isHtml(value)) return value.text;
  return typeof value === 'object' ? value.map(textOf).join('') : escapeHtml(String(value));
};

/** Marks text as HTML: a style sheet, or rendered Markdown. */
export const trusted = (text: string): Html => ({ [marker]: true, text });

/** `html\`<p>${name}</p>\``; null, undefined and false render as nothing, lists are concatenated. */
export const html = (strings: TemplateStringsArray, ...values: readonly Insert[]): Html =>
  trusted(strings.map((part, i) => part + textOf(values[i])).join(''));
