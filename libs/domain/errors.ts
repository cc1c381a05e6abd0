/** The `code` of an error of Node, Postgres or a library; empty for any other. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/**
 * An expected failure of a rule. The code is an error code of the specification; `extra` is sent next to the error (for
 * example `current` in a version conflict). Any other error is a bug.
 */
export class DomainError extends Error {
  override name = 'DomainError';
  readonly code: string;
  readonly extra: Readonly<Record<string, unknown>>;
  constructor(code: string, extra: Record<string, unknown> = {}, message?: string) {
    super(message ?? code);
    this.code = code;
    this.extra = extra;
  }
}

/** Already logged where it occurred; the queue retries it without logging it again. */
export class ReportedError extends Error {
  override name = 'ReportedError';
}

/** A job that can never succeed: no retry, straight to the dead letters. */
export class UnrecoverableError extends Error {
  override name = 'UnrecoverableError';
}

/** The mail server's refusal in its own words, permanent (5xx) or temporary (4xx). */
export class MailRefusedError extends Error {
  override name = 'MailRefusedError';
  readonly isFinal: boolean;
  constructor(answer: string, isFinal: boolean, options?: ErrorOptions) {
    super(answer, options);
    this.isFinal = isFinal;
  }
}

/** The message was sent completely but not answered: the server may have accepted it. */
export class MailUnansweredError extends Error {
  override name = 'MailUnansweredError';
}

interface Unavailability {
  /** In a few words for operators: `disk full`. */
  reason: string;
  /** SQLSTATE, errno or similar. */
  code: string;
  /** When to try again. */
  retryAfterSeconds: number;
  /** The request itself may be the cause, such as a statement that always exceeds its time limit. */
  mayBeCausedByRequest?: boolean;
  cause?: unknown;
}

/** Something this service depends on is temporarily unavailable; nothing was changed. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
  readonly reason: string;
  readonly code: string;
  readonly retryAfterSeconds: number;
  readonly mayBeCausedByRequest: boolean;
  constructor(
    subject: string,
    { reason, code, retryAfterSeconds, mayBeCausedByRequest, cause }: Unavailability,
  ) {
    const detail = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : '';
    super(`${subject}: ${reason}${detail}`, { cause });
    this.reason = reason;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.mayBeCausedByRequest = mayBeCausedByRequest ?? false;
  }
}

/** Occurred while completing a change, which may or may not have been made. */
export class OutcomeUnknownError extends UnavailableError {
  override name = 'OutcomeUnknownError';
}
