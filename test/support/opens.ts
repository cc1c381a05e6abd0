/** Whether an issued credential or link still grants access, by the answer. */
import { refusal } from './answers.ts';
import type { Answer } from '../api.ts';

/** Refusals that mean the credential itself was revoked; any other fails the test. */
const endedCodes = new Set([
  'AUTH_REQUIRED',
  'ACCESS_DENIED',
  'ACCOUNT_DISABLED',
  'INVALID_DEV_KEY',
  'INVALID_DEVICE_CODE',
  'DEVICE_LOGIN_REFUSED',
  'INVALID_API_KEY',
  'INVALID_SIGNATURE',
  'CONFIRMATION_EXPIRED',
  'INVALID_CONFIRMATION_TOKEN',
  'OWNER_DISABLED',
  'SHARE_NOT_FOUND',
  'SHARE_REVOKED',
  'OFP_NOT_FOUND',
  'IDEMPOTENCY_KEY_REUSED',
]);

export const isOpen = (answer: Answer): boolean => {
  if (answer.status === 200) return true;
  const [status, code] = refusal(answer);
  if (!endedCodes.has(String(code))) throw new Error(`answered ${status} ${String(code)}`);
  return false;
};

export const isShown = ({ status }: { status: number }, ended: readonly number[]): boolean => {
  if (status !== 200 && !ended.includes(status)) throw new Error(`answered ${status}`);
  return status === 200;
};
