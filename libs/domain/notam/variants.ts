import { padDesignator } from './text.ts';

/** A runway as requests name it: "07L", "07L/A5" (intersection), "07L.N1" (with NOTAM 1), "07L/A5.N1". */
export interface RunwayIdentParts {
  runway: string;
  intersection: string | null;
  /** 1-based place in `RunwayNotamState.variants`. */
  notamIndex: number | null;
}

const form = /^((?:0?[1-9]|[12]\d|3[0-6])[LCR]?)(?:\/([A-Z0-9]{1,6}))?(?:\.N([1-9]\d?))?$/;

/** Null when the text is not a runway identifier. Case and padding do not matter. */
export const parseRunwayIdent = (ident: string): RunwayIdentParts | null => {
  const match = form.exec(ident.trim().toUpperCase());
  if (!match) return null;
  return {
    runway: padDesignator(match[1] ?? ''),
    intersection: match[2] ?? null,
    notamIndex: match[3] === undefined ? null : Number(match[3]),
  };
};

export const formatRunwayIdent = ({ runway, intersection, notamIndex }: RunwayIdentParts): string =>
  `${runway}${intersection === null ? '' : `/${intersection}`}${notamIndex === null ? '' : `.N${notamIndex}`}`;
