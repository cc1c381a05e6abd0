/** User reports about community checklists. */

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
