/** Amounts as whole minor units of their currency (cents); never a fraction. */

/** Currencies whose minor unit is not a hundredth (ISO 4217); Intl uses everyday decimals, which differ. */
const exponents: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
};

/** As in ISO 4217; gateways also send `eur`. */
export const currencyCode = (text: string): string => text.trim().toUpperCase();

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** True for a current ISO 4217 code. */
export const isCurrency = (code: string): boolean => currencies.has(code);

const exponentOf = (currency: string): number => exponents[currency] ?? 2;

/** `9.99` becomes 999; null for anything but a plain decimal number. Rounds half away from zero. */
export const toMinor = (amount: string, currency: string): number | null => {
  const found = /^(-?)(\d{1,11})(?:\.(\d{1,8}))?$/.exec(amount.trim());
  if (!found) return null;
  const digits = exponentOf(currency);
  const [, sign, whole = '0', fraction = ''] = found;
  const kept = Number(`${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`);
  const minor = kept + (Number(fraction[digits] ?? 0) >= 5 ? 1 : 0);
  return minor === 0 ? 0 : sign === '-' ? -minor : minor;
};

/** `toMinor` for typed amounts: null also for more decimals than the currency has. */
export const exactMinor = (amount: string, currency: string): number | null => {
  const minor = toMinor(amount, currency);
  const decimals = /\.(\d*?)0*$/.exec(amount.trim())?.[1] ?? '';
  return decimals.length > exponentOf(currency) ? null : minor;
};

/** In major units with 2 decimals, for the wire (M-2.10.b3). */
export const toMajor = (minor: number, currency: string): number =>
  Math.round((minor / 10 ** exponentOf(currency)) * 100) / 100;

/** `9.99` as text, with the currency's decimals. */
export const amountText = (minor: number, currency: string): string =>
  (minor / 10 ** exponentOf(currency)).toFixed(exponentOf(currency));
