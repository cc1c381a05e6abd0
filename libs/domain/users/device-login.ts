/** Device login without a keyboard (RFC 8628): codes, and answers to a device that polls for its token. */
import type { Permissions } from '../developers/permissions.ts';
import { typedCode } from '../text/controls.ts';
import { addSeconds } from '../time.ts';

/** 20 consonants, so that codes form no words and contain nothing like a digit (RFC 8628, 6.1). */
export const userCodeAlphabet = 'BCDFGHJKLMNPQRSTVWXZ';
export const userCodeLength = 8;
export const deviceLoginSeconds = 600;
export const firstIntervalSeconds = 5;
/** Added to the interval of a device that polls too soon. */
const slowerSeconds = 5;

const codeForm = new RegExp(`^[${userCodeAlphabet}]{${userCodeLength}}$`);

/** Normalises a typed code; null if it cannot be one. */
export const typedUserCode = (text: string): string | null => typedCode(text, codeForm);

/** As shown: `BCDF-GHJK`. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

export interface DeviceLogin extends Permissions {
  id: number;
  developerKeyId: number;
  /** Name of the developer key that has these permissions. */
  application: string;
  expiresAt: Date;
  intervalSeconds: number;
  askedAt: Date | null;
  state: 'waiting' | 'approved' | 'refused';
  userId: number | null;
  tokenGeneration: number | null;
}

type DeviceAnswer = 'pending' | 'slow down' | 'expired' | 'refused' | 'approved';

/** The answer to a poll at this time, and the interval from now on. */
export const deviceAnswer = (
  { state, expiresAt, askedAt, intervalSeconds }: DeviceLogin,
  now: Date,
): { answer: DeviceAnswer; intervalSeconds: number } => {
  if (expiresAt <= now) return { answer: 'expired', intervalSeconds };
  if (state !== 'waiting') return { answer: state, intervalSeconds };
  // A second is allowed for the travel time of the previous answer.
  const isSoon = askedAt !== null && now < addSeconds(askedAt, intervalSeconds - 1);
  return isSoon
    ? { answer: 'slow down', intervalSeconds: intervalSeconds + slowerSeconds }
    : { answer: 'pending', intervalSeconds };
};
