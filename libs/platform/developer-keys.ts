import { hash, randomBytes } from 'node:crypto';

/** A new developer key; shown once, stored as a hash (M-5.2). */
export const newDeveloperKey = (): string => `dk_${randomBytes(24).toString('base64url')}`;

/** Whether a text has the form of a developer key; nothing is looked up. */
export const looksLikeDeveloperKey = (text: string): boolean => text.startsWith('dk_');

/** Keys are long and random, so one fast hash is enough and lookups can use an index. */
export const hashOfKey = (key: string): Buffer => hash('sha256', key, 'buffer');
