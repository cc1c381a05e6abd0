import { z } from 'zod';

/** Distance compared with the runway, from the answer's rounded figures. */
export const distanceVerdictSchema = z.enum(['FITS', 'MARGIN_NOT_MET', 'ABOVE_LDA']);
type DistanceVerdict = z.output<typeof distanceVerdictSchema>;

/** Verdict on a brake mode or landing, from its distance and the type's limits. */
export const verdictSchema = z
  .enum(['FITS', 'MARGIN_NOT_MET', 'LIMIT_EXCEEDED', 'ABOVE_LDA', 'CANNOT_STOP', 'NOT_AVAILABLE'])
  .describe(
    'FITS: stops within the LDA with the full margin, and no limit is exceeded; MARGIN_NOT_MET: stops within the LDA, without the full margin; LIMIT_EXCEEDED: stops within the LDA, but a limit is exceeded; ABOVE_LDA: stops beyond the LDA; CANNOT_STOP: does not stop on this surface and slope; NOT_AVAILABLE: the mode cannot be used here',
  );
export type Verdict = z.output<typeof verdictSchema>;

/** Verdicts as shown in tables and drawings. */
export const shownVerdicts = [
  'FITS',
  'SMALL_MARGIN',
  'MARGIN_NOT_MET',
  'LIMIT_EXCEEDED',
  'ABOVE_LDA',
  'CANNOT_STOP',
  'NOT_AVAILABLE',
] as const;
export type ShownVerdict = (typeof shownVerdicts)[number];

/** good: green, tight: amber, bad: red, none: grey. */
export const tones = ['good', 'tight', 'bad', 'none'] as const;
export type Tone = (typeof tones)[number];

/** Words and colour of each verdict. */
export const verdictWords: Record<ShownVerdict, { text: string; tone: Tone }> = {
  FITS: { text: 'fits', tone: 'good' },
  SMALL_MARGIN: { text: 'small margin', tone: 'tight' },
  MARGIN_NOT_MET: { text: 'margin not met', tone: 'bad' },
  LIMIT_EXCEEDED: { text: 'limit exceeded', tone: 'bad' },
  ABOVE_LDA: { text: 'too long', tone: 'bad' },
  CANNOT_STOP: { text: 'does not stop', tone: 'bad' },
  NOT_AVAILABLE: { text: 'not available', tone: 'none' },
};

/** Smallest margin without a caution, metres. */
export const comfortableMarginM = 300;

export const shownVerdict = (verdict: Verdict, marginM: number): ShownVerdict =>
  verdict === 'FITS' && marginM < comfortableMarginM ? 'SMALL_MARGIN' : verdict;

/** A verdict in words and colour, the same for all clients and the drawing. */
export const shownSchema = z
  .strictObject({
    verdict: z
      .enum(shownVerdicts)
      .describe('as `verdict`, or SMALL_MARGIN: fits with less than 300 m to spare'),
    text: z.string().describe('the verdict in words, as in the drawing'),
    tone: z.enum(tones).describe('colour of the drawing: good green, tight amber, bad red, none grey'),
  })
  .describe('the verdict, for tables and drawings');
type Shown = z.output<typeof shownSchema>;

export const shownOf = (verdict: Verdict, marginM: number): Shown => {
  const shown = shownVerdict(verdict, marginM);
  return { verdict: shown, ...verdictWords[shown] };
};

export const distanceVerdict = (factored: number, unfactored: number, lda: number): DistanceVerdict => {
  if (factored <= lda) return 'FITS';
  return unfactored <= lda ? 'MARGIN_NOT_MET' : 'ABOVE_LDA';
};

/** The verdict on a distance, capped by exceeded limits. */
export const limitedVerdict = (verdict: DistanceVerdict, isLimitExceeded: boolean): Verdict =>
  isLimitExceeded && verdict !== 'ABOVE_LDA' ? 'LIMIT_EXCEEDED' : verdict;
