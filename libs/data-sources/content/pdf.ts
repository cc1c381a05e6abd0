/** PDF: header at the first byte, cross-reference and end mark at the last ones (ISO 32000-2, 7.5). */
import { ContentError, take, upTo } from './walk.ts';
import type { Format } from './walk.ts';

const step = 65_536;
const tailBytes = 2_048;
/** What makes some programs read the file as a web page. */
const markup = /<(?:!doctype|html|head|body|script|iframe|svg)\b/i;

export const pdf = function* (): Format {
  const head = yield take(8);
  if (!/^%PDF-[12]\.\d$/.test(head.toString('latin1'))) throw new ContentError('this is not a PDF');
  let tail = Buffer.alloc(0);
  for (
    let part = yield upTo(step), isFirst = true;
    part.length > 0;
    part = yield upTo(step), isFirst = false
  ) {
    if (isFirst && markup.test(part.toString('latin1', 0, 1_024)))
      throw new ContentError('the PDF begins like a web page');
    // A copy of the end alone: a file of gigabytes must leave no garbage of its size.
    const end = Buffer.from(part.subarray(-tailBytes));
    tail = end.length === tailBytes ? end : Buffer.concat([tail, end]).subarray(-tailBytes);
  }
  const text = tail.toString('latin1');
  const mark = text.lastIndexOf('%%EOF');
  if (mark === -1) throw new ContentError('the PDF is incomplete');
  if (!/^[\s\0]*$/.test(text.slice(mark + 5)))
    throw new ContentError('there is something after the end of the file');
  if (!/startxref\s+\d+\s*$/.test(text.slice(0, mark))) throw new ContentError('the PDF is incomplete');
};
