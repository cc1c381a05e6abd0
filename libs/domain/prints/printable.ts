/** Replaces texts of a checklist that the print font lacks or would write in reverse. */
import { z } from 'zod';
import type { PrintedChecklist } from './content.ts';

/** European letters and technical symbols; a test checks each in both font faces. */
export const printable =
  '\\n\\t -~\\u00a0-\\u02e9\\u0300-\\u034f\\u0386\\u0388-\\u038a\\u038c\\u038e-\\u03a1\\u03a3-\\u0525\\u0531-\\u0556\\u0561-\\u0587\\u10d0-\\u10fc\\u1e00-\\u1efb\\u2000-\\u2064\\u2074-\\u208e\\u20a0-\\u20b5\\u2116\\u2122\\u2150-\\u2185\\u2190-\\u2311\\u2500-\\u269c\\u269e-\\u26b8\\u2706-\\u2709\\u270c-\\u2727\\u2761-\\u2794\\u2798-\\u27af\\ufe00-\\ufe0f';
const others = new RegExp(`[^${printable}]+(?:\\s+[^${printable}]+)*`, 'gu');
const inTheirPlace = '[not printed]';

const orderSchema = z.int().nullable();
export const notPrintedSchema = z
  .array(
    z.strictObject({
      page: orderSchema.describe('`order` of the page; null: the text belongs to the checklist'),
      item: orderSchema.describe('`order` of the item; null: the text belongs to a page or the checklist'),
      field: z
        .enum(['name', 'version', 'description', 'title', 'challenge', 'response', 'note'])
        .describe('field that holds the text'),
    }),
  )
  .optional()
  .describe(
    `for a PDF: texts in scripts that cannot be printed (East and South Asian, Arabic, Hebrew), printed as ${inTheirPlace}; absent when there are none`,
  );
type NotPrinted = NonNullable<z.output<typeof notPrintedSchema>>;

/** The printable checklist, and the texts that could not be printed. */
export const printableChecklist = (
  given: PrintedChecklist,
): { checklist: PrintedChecklist; notPrinted: NotPrinted } => {
  const notPrinted: NotPrinted = [];
  /** With the printable texts of these fields. */
  const shown = <T extends object>(
    from: T,
    fields: readonly (keyof T & NotPrinted[number]['field'])[],
    page: number | null = null,
    item: number | null = null,
  ): T => {
    const texts = fields.map((field) => {
      const text = from[field];
      const printed = typeof text === 'string' ? text.normalize().replaceAll(others, inTheirPlace) : text;
      if (String(printed).includes(inTheirPlace)) notPrinted.push({ page, item, field });
      return [field, printed];
    });
    return { ...from, ...Object.fromEntries(texts) };
  };
  const head = shown(given, ['name', 'version', 'description']);
  const pages = given.pages.map((page) => ({
    ...shown(page, ['title'], page.order),
    items: page.items.map((item) => shown(item, ['challenge', 'response', 'note'], page.order, item.order)),
  }));
  return { checklist: { ...head, pages }, notPrinted };
};
