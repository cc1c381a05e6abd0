/** Reports of users about checklists of the community. */

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

/** How the operator has answered it. */
export type ReportOutcome = 'dismissed' | 'unshared';
