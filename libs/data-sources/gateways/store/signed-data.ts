/** Verifies data signed by the store, with the store's library. */
import {
  Environment,
  SignedDataVerifier,
  VerificationException,
  VerificationStatus,
} from '@apple/app-store-server-library';
import type {
  JWSRenewalInfoDecodedPayload,
  JWSTransactionDecodedPayload,
  ResponseBodyV2DecodedPayload,
} from '@apple/app-store-server-library';
import { InvalidSignatureError, GatewayError } from '#domain/subscriptions/gateway.ts';
import type { StoreSettings } from './settings.ts';

export type StoreTransaction = JWSTransactionDecodedPayload;
export type StoreRenewal = JWSRenewalInfoDecodedPayload;
export type StoreNotification = ResponseBodyV2DecodedPayload;

/** Different Base64 texts may decode to equal bytes, but an altered text must not pass as signed. */
const assertCompact = (jws: string): void => {
  const parts = jws.split('.');
  const isExact = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;
  if (parts.length !== 3 || !parts.every((part) => part !== '' && isExact(part)))
    throw new InvalidSignatureError('it is not signed data');
};

const failure = (error: unknown): unknown => {
  if (!(error instanceof VerificationException)) return error;
  if (error.status === VerificationStatus.RETRYABLE_VERIFICATION_FAILURE)
    return new GatewayError('unavailable', 'The store did not say whether a certificate is revoked.', {
      cause: error,
    });
  return new InvalidSignatureError(`the signature is refused: ${VerificationStatus[error.status]}`, {
    cause: error,
  });
};

const checked = async <T>(jws: string, decode: (jws: string) => Promise<T>): Promise<T> => {
  assertCompact(jws);
  try {
    return await decode(jws);
  } catch (error) {
    throw failure(error);
  }
};

const environments = { Production: Environment.PRODUCTION, Sandbox: Environment.SANDBOX } as const;

/**
 * Works offline: the chain must have been valid when the data were signed. Each method throws `InvalidSignatureError`, or
 * `GatewayError` if a check needs the network and gets no answer.
 */
export const createSignedData = ({ roots, environment, bundleId, appId }: StoreSettings) => {
  const verifier = new SignedDataVerifier([...roots], false, environments[environment], bundleId, appId);
  return {
    notification: (jws: string) => checked(jws, (text) => verifier.verifyAndDecodeNotification(text)),
    transaction: (jws: string) => checked(jws, (text) => verifier.verifyAndDecodeTransaction(text)),
    renewal: (jws: string) => checked(jws, (text) => verifier.verifyAndDecodeRenewalInfo(text)),
  };
};

export type SignedData = ReturnType<typeof createSignedData>;
