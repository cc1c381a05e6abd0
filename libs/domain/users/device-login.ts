/** Login of a device without a keyboard, as RFC 8628: its codes, and what a device that asks for its token is told. */
import type { Permissions } from '../developers/permissions.ts';
import { typedCode } from '../text/controls.ts';
import { addSeconds } from '../time.ts';

/** 20 consonants, so that no code is a word and none is mistaken for a digit (RFC 8628, 6.1). */
export const userCodeAlphabet = 'BCDFGHJKLMNPQRSTVWXZ';
export const userCodeLength = 8;
export const deviceLoginSeconds = 600;
export const firstIntervalSeconds = 5;
/** So much longer a device has to wait that asked too soon. */
const slowerSeconds = 5;

const codeForm = new RegExp(`^[${userCodeAlphabet}]{${userCodeLength}}$`);

/** The issued form of a code, from what a person has typed; null when it cannot be one. */
export const typedUserCode = (text: string): string | null => typedCode(text, codeForm);

/** As it is shown: `BCDF-GHJK`. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

export interface DeviceLogin extends Permissions {
  id: number;
  developerKeyId: number;
  /** Name of the developer key, whose permissions these are. */
  application: string;
  expiresAt: Date;
  intervalSeconds: number;
  askedAt: Date | null;
  state: 'waiting' | 'approved' | 'refused';
  userId: number | null;
  tokenGeneration: number | null;
}

type DeviceAnswer = 'pending' | 'slow down' | 'expired' | 'refused' | 'approved';

/** What a device is told that asks now, and the interval from now on. */
export const deviceAnswer = (
  { state, expiresAt, askedAt, intervalSeconds }: DeviceLogin,
  now: Date,
): { answer: DeviceAnswer; intervalSeconds: number } => {
  if (expiresAt <= now) return { answer: 'expired', intervalSeconds };
  if (state !== 'waiting') return { answer: state, intervalSeconds };
  // A second is given, for the way of the answer before.
  const isSoon = askedAt !== null && now < addSeconds(askedAt, intervalSeconds - 1);
  return isSoon
    ? { answer: 'slow down', intervalSeconds: intervalSeconds + slowerSeconds }
    : { answer: 'pending', intervalSeconds };
};
