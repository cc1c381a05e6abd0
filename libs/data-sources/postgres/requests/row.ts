/** A response that many rows have in common. */
export interface SharedText {
  /** SHA-256 of the text. */
  digest: Buffer;
  /** JSON, redacted and truncated. */
  text: string;
}

/** What a response has in common with a shared text: its first `head` and its last `tail` characters. */
export interface SharedResponse {
  of: SharedText;
  head: number;
  tail: number;
}

export interface RequestLogRow {
  id: number;
  requestId: string;
  query: string | null;
  userId: number | null;
  developerKeyId: number | null;
  status: number;
  errorCode: string | null;
  durationMs: number;
  ip: string;
  /** JSON texts, redacted and truncated. */
  headers: string | null;
  request: string | null;
  /** With `sharedResponse`, the characters between what it shares. */
  response: string | null;
  sharedResponse?: SharedResponse | null;
  isCalculation: boolean;
  createdAt: Date;
}

/** The rows of one day and kind: a partition. */
export interface LogDay {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  isCalculation: boolean;
}
