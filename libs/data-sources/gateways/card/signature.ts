/** Signatures of forms, and signed receipts. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidSignatureError } from '#domain/subscriptions/gateway.ts';
import type { CardForm } from '../forms.ts';

/** Each value after its length in bytes. */
export const signedText = (values: readonly (Buffer | string)[]): Buffer =>
  Buffer.concat(
    values.flatMap((value) => {
      const bytes = Buffer.from(value);
      return [Buffer.from(String(bytes.length)), bytes];
    }),
  );

const algorithms = { HASH: 'md5', SIGNATURE_SHA2_256: 'sha256', SIGNATURE_SHA3_256: 'sha3-256' } as const;
type SignatureField = keyof typeof algorithms;

export const hmacOf = (algorithm: string, key: string, text: Buffer | string): string =>
  createHmac(algorithm, key).update(text).digest('hex');

const isSignature = (name: string): name is SignatureField => Object.hasOwn(algorithms, name);

/** Signed values in order; some senders strip backslashes before signing. */
const sourceOf = (form: CardForm, stripped: boolean): Buffer =>
  signedText(
    [...form]
      .filter(([name]) => !isSignature(name))
      .flatMap(([, values]) => values)
      .map((value) =>
        stripped ? Buffer.from(value.toString('latin1').replaceAll('\\', ''), 'latin1') : value,
      ),
  );

const given = (form: CardForm): Map<SignatureField, Buffer> =>
  new Map(
    [...form]
      .filter((entry): entry is [SignatureField, readonly Buffer[]] => isSignature(entry[0]))
      .map(([name, values]) => [name, values[0] ?? Buffer.alloc(0)] as const)
      .filter(([, value]) => value.length > 0),
  );

const isSigned = (signatures: Map<SignatureField, Buffer>, key: string, source: Buffer): boolean =>
  [...signatures].every(([name, value]) => {
    const expected = Buffer.from(hmacOf(algorithms[name], key, source));
    return value.length === expected.length && timingSafeEqual(value, expected);
  });

/**
 * All signatures sent must be correct, and MD5 alone is not accepted, so that an attacker cannot choose the algorithm.
 * Returns the SHA-256 of the signed values, equal for all copies. Throws `InvalidSignatureError`.
 */
export const verifyForm = (form: CardForm, key: string): string => {
  const signatures = given(form);
  if (!signatures.has('SIGNATURE_SHA3_256') && !signatures.has('SIGNATURE_SHA2_256'))
    throw new InvalidSignatureError('there is no SHA-256 or SHA3-256 signature');
  const source = sourceOf(form, false);
  const hasBackslash = source.includes('\\');
  if (
    !isSigned(signatures, key, source) &&
    !(hasBackslash && isSigned(signatures, key, sourceOf(form, true)))
  )
    throw new InvalidSignatureError('the signature is wrong');
  return createHash('sha256').update(source).digest('hex');
};

/** `<sig algo="sha3-256" date="...">HASH</sig>` over the values and the time. */
export const receiptText = (form: CardForm, key: string, values: readonly string[], date: string): string => {
  const algorithm = given(form).has('SIGNATURE_SHA3_256') ? 'sha3-256' : 'sha256';
  const hash = hmacOf(algorithm, key, signedText([...values, date]));
  return `<sig algo="${algorithm}" date="${date}">${hash}</sig>`;
};
