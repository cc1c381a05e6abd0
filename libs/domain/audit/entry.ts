/** The audit trail of operators' changes. */

/** Kinds of changed objects. Those stored in the database have a snapshot. */
export const subjectKinds = [
  'user',
  'subscription',
  'developer key',
  'webhook endpoint',
  'product',
  'promo code',
  'airline',
  'membership',
  'admin role',
  'checklist',
  'checklist report',
  'fleet profile',
  'library file',
  'announcement',
  'report',
  'message',
  'airport',
  'feed',
  'dead letter',
  'console token',
  'secrets',
  'backup',
] as const;

export type SubjectKind = (typeof subjectKinds)[number];

export type State = Readonly<Record<string, unknown>>;

/** Who makes a change: name and channel, such as `cli:ada`, and the request id. */
export interface Operator {
  who: string;
  requestId: string | null;
}

export interface AuditEntry {
  id: number;
  at: Date;
  who: string;
  /** `user disable`: noun and verb of the command line. */
  action: string;
  kind: SubjectKind;
  /** Id within the kind. */
  subject: string;
  before: State | null;
  after: State | null;
  requestId: string | null;
}

interface Difference {
  field: string;
  before: unknown;
  after: unknown;
}

/** Fields that differ between two states; if one state is missing, all fields of the other. */
export const differences = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Difference[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }))
    .filter((each) => JSON.stringify(each.before) !== JSON.stringify(each.after));
