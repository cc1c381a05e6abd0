/** Pages of a sync: folders by id, then files by id. */
import { z } from 'zod';
import { limitField, maxId } from '../fields/index.ts';
import { instantText } from '../text/instant.ts';

/** The last entry of a page. */
export interface SyncPlace {
  /** Time of the first page: changes made while others are read belong to the next sync. */
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

/** Paging of a sync: `limit` entries (default all) `after` the previous page's `next`; to be spread into an input. */
export const syncPageFields = () => ({
  limit: limitField({ preset: null, max: 5_000 }),
  after: placeField(),
});
