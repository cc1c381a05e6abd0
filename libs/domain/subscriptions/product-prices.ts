import { DomainError } from '../errors.ts';
import { exactMinor, isCurrency } from './money.ts';

/** Prices as typed: `9.99`, and `10.99` for USD in other currencies. */
interface PriceTexts {
  price?: string | undefined;
  otherPrices?: Readonly<Record<string, string>> | undefined;
}

const minorOf = (amount: string, currency: string): number => {
  if (!isCurrency(currency))
    throw new DomainError('INVALID_PRICE', {}, `${currency} is not a currency of ISO 4217.`);
  const minor = exactMinor(amount, currency);
  if (minor !== null) return minor;
  throw new DomainError('INVALID_PRICE', {}, `${amount} is not an amount in ${currency}.`);
};

/** In minor units, without omitted ones. Throws INVALID_PRICE. */
export const pricesOf = (
  currency: string,
  { price, otherPrices }: PriceTexts,
): { priceMinor?: number; otherPrices?: Record<string, number> } => ({
  ...(price === undefined ? {} : { priceMinor: minorOf(price, currency) }),
  ...(otherPrices === undefined
    ? {}
    : {
        otherPrices: Object.fromEntries(
          Object.entries(otherPrices).map(([code, amount]) => [code, minorOf(amount, code)]),
        ),
      }),
});
