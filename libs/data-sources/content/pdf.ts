/** PDF: cross-reference and end mark at the end (ISO 32000-2, 7.5); its header is found by content-type.ts. */
import { markup, refuse } from './source.ts';
import type { Source } from './source.ts';

const headBytes = 2_048;
const tailBytes = 2_048;
const version = /%PDF-[12]\.\d/;
/** Programs repeat the end mark, and printers' ones add the end of their job. */
const end = /startxref\s+\d+\s*%%EOF(?:%%EOF|%-12345X|@PJL[ -~]{0,80}\r?\n|[^!-\xfe])*(?:@PJL[ -~]{0,80})?$/;

export const pdf = async ({ some, take, filled }: Source): Promise<number> => {
  const head = (await some(0, headBytes)).toString('latin1', 0, headBytes);
  if (!version.test(head)) refuse('this is not a PDF of a known version');
  if (markup.test(head)) refuse('the PDF begins like a web page');
  const from = Math.max(0, filled - tailBytes);
  if (!end.test((await take(from, filled - from)).toString('latin1')))
    refuse('the PDF is incomplete or there is something after the end of the file');
  return filled;
};
