/** Pages of a sync: its folders by id, then its files by id. */
import { z } from 'zod';
import { limitField, maxId } from '../fields/index.ts';
import { instantText } from './since.ts';

/** The last entry of a page. */
export interface SyncPlace {
  /** Of the first page: what changes while the others are read is in the next sync. */
  syncedAt: string;
  kind: 'folder' | 'file';
  id: number;
}

const form = /^([\d-]{10} [\d:]{8})\/(folder|file)\/(\d{1,10})$/;

export const placeText = ({ syncedAt, kind, id }: SyncPlace): string => `${syncedAt}/${kind}/${id}`;

const placeOf = (text: string): SyncPlace | null => {
  const [, syncedAt = '', kind, digits] = form.exec(text) ?? [];
  const id = Number(digits);
  if (instantText(syncedAt) === null || !(id <= maxId)) return null;
  return { syncedAt, kind: kind === 'folder' ? 'folder' : 'file', id };
};

const placeField = () =>
  z
    .string('INVALID_FIELD')
    .max(64, 'INVALID_FIELD')
    .transform((text, ctx) => {
      const place = placeOf(text);
      if (place !== null) return place;
      ctx.addIssue('INVALID_FIELD');
      return z.NEVER;
    })
    .nullish();

/** `limit` entries, without it all, `after` the `next` of the page before; to be spread into the input's object. */
export const syncPageFields = () => ({
  limit: limitField({ preset: null, max: 5_000 }),
  after: placeField(),
});
