import { normaliseRunwayIdent } from './ident.ts';

/**
 * A runway as selected for a calculation: `07L`, `07L/A5` (from intersection A5), `07L.N1` (with NOTAM effect
 * 1).
 */
export interface RunwayVariant {
  ident: string;
  intersection: string | null;
  notam: number | null;
}

const variantPattern = /^([^/.]+)(?:\/([A-Z0-9]{1,8}))?(?:\.N(\d{1,6}))?$/;

export const formatVariant = ({ ident, intersection, notam }: RunwayVariant): string =>
  `${ident}${intersection === null ? '' : `/${intersection}`}${notam === null ? '' : `.N${notam}`}`;

/** Null when the text is not a runway variant. Unpadded designators are padded. */
export const parseVariant = (text: string): RunwayVariant | null => {
  const match = variantPattern.exec(text.trim().toUpperCase());
  const ident = match ? normaliseRunwayIdent(match[1] ?? '') : null;
  if (!match || !ident) return null;
  return { ident, intersection: match[2] ?? null, notam: match[3] === undefined ? null : Number(match[3]) };
};
