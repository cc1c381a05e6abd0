import { maxId } from '../fields/number.ts';
import type { FleetOwner } from './types.ts';

/** The contract's `file` (M-2.4.f3). Two airlines may share one; their stored files differ. */
export const fleetFileName = (owner: FleetOwner, registration: string): string =>
  'userId' in owner ? `User_${owner.userId}_${registration}.json` : `${registration}.json`;

/** Storage key of one version of a profile, in its owner's folder. */
export const fleetKey = (owner: FleetOwner, registration: string, version: string): string => {
  const folder = 'userId' in owner ? `users/${owner.userId}` : `airlines/${owner.vaId}`;
  return `fleet/${folder}/${version}_${registration}.json`;
};

const withoutExtension = (file: string): string => file.toUpperCase().replace(/\.JSON$/, '');

export const isSameFile = (one: string, other: string): boolean =>
  withoutExtension(one) === withoutExtension(other);

/** The user id in a profile's file name; null if there is none or it is out of range. */
export const userOfFile = (file: string): number | null => {
  const id = Number(/^User_(\d{1,10})_/i.exec(file)?.[1]);
  return id <= maxId ? id : null;
};
