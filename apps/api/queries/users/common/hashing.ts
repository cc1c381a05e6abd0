import { HasherBusyError } from '#data/auth/passwords.ts';
import { commonError } from '../../../errors.ts';

/** Turns a saturated hasher into 503 with Retry-After, so that a flood of logins cannot occupy all cores. */
export const hashing = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof HasherBusyError) {
      throw commonError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '2' } });
    }
    throw error;
  }
};
