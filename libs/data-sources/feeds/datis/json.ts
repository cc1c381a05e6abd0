import { FeedFormatError, refuseHtml } from '../../weather/feed-error.ts';

/** JSON of a source; web pages and invalid texts are FeedFormatErrors. */
export const parseJson = (text: string): unknown => {
  refuseHtml(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FeedFormatError(
      'NOT_JSON',
      `The source sent invalid JSON: ${error instanceof Error ? error.message : ''}`,
    );
  }
};

/** Three decimals (`118.000`), as both networks' clients show them; null without a valid radio frequency. */
export const frequencyText = (frequency: string | number | null | undefined): string | null => {
  const mhz =
    frequency === null || frequency === undefined || frequency === '' ? Number.NaN : Number(frequency);
  return Number.isFinite(mhz) && mhz > 0 && mhz < 1_000 ? mhz.toFixed(3) : null;
};
