/** Three decimals (`118.000`), as both networks' clients show them; null without a valid radio frequency. */
export const frequencyText = (frequency: string | number | null | undefined): string | null => {
  const mhz =
    frequency === null || frequency === undefined || frequency === '' ? Number.NaN : Number(frequency);
  return Number.isFinite(mhz) && mhz > 0 && mhz < 1_000 ? mhz.toFixed(3) : null;
};
