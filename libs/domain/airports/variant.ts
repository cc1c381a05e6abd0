import { normaliseRunwayIdent } from './ident.ts';

/**
 * A runway as selected for a calculation: `07L`, `07L/A5` (from intersection A5), `07L.N1` (with NOTAM effect
 * 1, several together `07L.N1.N4`).
 */
export interface RunwayVariant {
  ident: string;
  intersection: string | null;
  /** Numbers of NOTAM effects; empty: as published. */
  notams: readonly number[];
}

const variantPattern = /^([^/.]+)(?:\/([A-Z0-9]{1,8}))?((?:\.N\d{1,6}){0,9})$/;

export const formatVariant = ({ ident, intersection, notams }: RunwayVariant): string =>
  `${ident}${intersection === null ? '' : `/${intersection}`}${notams.map((notam) => `.N${notam}`).join('')}`;

/** Null if the text is not a runway variant. Pads designators. */
export const parseVariant = (text: string): RunwayVariant | null => {
  const match = variantPattern.exec(text.trim().toUpperCase());
  const ident = match ? normaliseRunwayIdent(match[1] ?? '') : null;
  if (!match || !ident) return null;
  const notams = [...(match[3] ?? '').matchAll(/\d+/g)].map(Number).toSorted((a, b) => a - b);
  return { ident, intersection: match[2] ?? null, notams: [...new Set(notams)] };
};
