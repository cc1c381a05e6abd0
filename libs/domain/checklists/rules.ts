/** Who may read and rate a checklist (section 2.2 rules 3 and 4). */
import { DomainError } from '../errors.ts';
import type { Caller } from '../users/types.ts';
import { mayReadAirline } from '../virtual-airlines/admin-gate.ts';

/** A user or a virtual airline. */
export interface Owned {
  userId: number | null;
  vaId: number | null;
  shareCommunity: boolean;
}

export type ChecklistReader = Pick<Caller, 'userId' | 'vaIds' | 'vaAdmin' | 'activeVaId'>;

/** Owned by the caller or by the caller's active airline. */
export const isMine = ({ userId, vaId }: Owned, caller: ChecklistReader): boolean =>
  userId === caller.userId || (vaId !== null && vaId === caller.activeVaId && caller.vaIds.includes(vaId));

export const mayRead = (checklist: Owned, caller: ChecklistReader): boolean =>
  checklist.shareCommunity ||
  checklist.userId === caller.userId ||
  (checklist.vaId !== null && mayReadAirline(caller, checklist.vaId));

const assertOfOthers =
  (own: string) =>
  ({ userId, vaId, shareCommunity }: Owned, caller: ChecklistReader): void => {
    if (userId === caller.userId || (vaId !== null && caller.vaIds.includes(vaId)))
      throw new DomainError(own);
    if (!shareCommunity) throw new DomainError('NOT_SHARED');
  };

/**
 * Throws CANNOT_RATE_OWN for the caller's own checklist, which takes precedence, and NOT_SHARED for a
 * private one.
 */
export const assertRateable = assertOfOthers('CANNOT_RATE_OWN');

/** Throws CANNOT_REPORT_OWN and NOT_SHARED accordingly. */
export const assertReportable = assertOfOthers('CANNOT_REPORT_OWN');

/** Initials for an owner without an alias, so that lists show no names (G-13). */
export const initialsOf = (firstname: string, lastname: string): string =>
  [firstname, lastname].map((name) => (Array.from(name.trim())[0] ?? '').toUpperCase()).join('');

export const reportReasons = [
  'WRONG',
  'OFFENSIVE',
  'COPYRIGHT',
  'PERSONAL_DATA',
  'ADVERTISING',
  'OTHER',
] as const;
export type ReportReason = (typeof reportReasons)[number];

export const maxReportLength = 2_000;

/** The operator's decision. */
export type ReportOutcome = 'dismissed' | 'unshared';
