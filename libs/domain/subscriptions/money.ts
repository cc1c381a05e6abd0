/** Amounts as whole minor units of their currency (cents); never a fraction. */

/** Currencies whose minor unit is not a hundredth (ISO 4217). */
const exponents: Readonly<Record<string, number>> = {
  BHD: 3,
  CLP: 0,
  ISK: 0,
  JPY: 0,
  JOD: 3,
  KRW: 0,
  KWD: 3,
  OMR: 3,
  TND: 3,
  VND: 0,
};

const exponentOf = (currency: string): number => exponents[currency] ?? 2;

/** `9.99` as 999; null for anything that is not a plain decimal number. Rounded half away from zero. */
export const toMinor = (amount: string, currency: string): number | null => {
  const found = /^(-?)(\d{1,11})(?:\.(\d{1,8}))?$/.exec(amount.trim());
  if (!found) return null;
  const digits = exponentOf(currency);
  const [, sign, whole = '0', fraction = ''] = found;
  const kept = Number(`${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`);
  const minor = kept + (Number(fraction[digits] ?? 0) >= 5 ? 1 : 0);
  return minor === 0 ? 0 : sign === '-' ? -minor : minor;
};

/** In major units with 2 decimals, for the wire (M-2.10.b3). */
export const toMajor = (minor: number, currency: string): number =>
  Math.round((minor / 10 ** exponentOf(currency)) * 100) / 100;

/** `9.99` as text, with the decimals of the currency. */
export const amountText = (minor: number, currency: string): string =>
  (minor / 10 ** exponentOf(currency)).toFixed(exponentOf(currency));
