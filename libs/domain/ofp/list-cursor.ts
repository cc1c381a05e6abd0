/** A position in a list of plans, after which the next page starts. */
import { textField } from '../fields/index.ts';

interface OfpCursor {
  importedAt: Date;
  id: string;
}

const encoded = /^(\d{1,15})~([A-Za-z0-9._-]{1,64})$/;

export const ofpCursorOf = ({ importedAt, id }: OfpCursor): string => `${importedAt.getTime()}~${id}`;

/** Code: INVALID_FIELD. Null for the first page. */
export const ofpCursorField = () =>
  textField(80)
    .transform((text, context): OfpCursor | null => {
      const [, ms, id] = encoded.exec(text) ?? [];
      if (ms !== undefined && id !== undefined) return { importedAt: new Date(Number(ms)), id };
      if (text !== '')
        context.addIssue({
          code: 'custom',
          message: 'INVALID_FIELD',
          params: { problem: 'must be the nextCursor of the page before; the first page has none' },
        });
      return null;
    })
    .nullish()
    .transform((cursor) => cursor ?? null);
