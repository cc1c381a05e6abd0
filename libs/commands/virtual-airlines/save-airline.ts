import type { LogoFile } from '#data/logos/read-logo.ts';
import { logoWrites } from '#store/postgres/virtual-airlines/logos.ts';
import { vaWrites } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import type { VaRow } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import type { Tx } from '#store/postgres/sql.ts';

export interface AirlineSave {
  airline: VaRow;
  /** Files that replace the logos of the airline. */
  logos: Partial<Record<'logo' | 'logoDark' | 'logoWhite', LogoFile>>;
}

/** Stores an airline with its new logos; those that it had before are deleted. Throws VA_EXISTS. */
export const saveAirline = async (tx: Tx, _deps: object, { airline, logos }: AirlineSave): Promise<VaRow> => {
  const stored = logoWrites(tx);
  const after = { ...airline };
  for (const kind of ['logo', 'logoDark', 'logoWhite'] as const) {
    const file = logos[kind];
    if (file) after[kind] = await stored.add(airline.id, file);
  }
  await vaWrites(tx).save(after);
  await stored.deleteUnused(airline.id);
  return after;
};
