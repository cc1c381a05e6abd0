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
  response: string | null;
  isCalculation: boolean;
  createdAt: Date;
}

/** The rows of one day and kind: a partition. */
export interface LogDay {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  isCalculation: boolean;
}
