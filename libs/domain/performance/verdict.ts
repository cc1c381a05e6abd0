import { z } from 'zod';

/** What a brake mode means on this runway, from the rounded distances of the answer. */
export const verdictSchema = z
  .enum(['FITS', 'MARGIN_NOT_MET', 'ABOVE_LDA', 'CANNOT_STOP', 'NOT_AVAILABLE'])
  .describe(
    'FITS: with its margin within the LDA; MARGIN_NOT_MET: stops within the LDA, without the full margin; ABOVE_LDA: stops beyond it; CANNOT_STOP: never stops on this surface and slope; NOT_AVAILABLE: cannot be used here',
  );
export type Verdict = z.output<typeof verdictSchema>;
