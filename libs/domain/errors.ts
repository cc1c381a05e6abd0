/**
 * An expected failure of a rule. The code is the contract's error code; `extra` is spread beside the error
 * (for example `current` of a version conflict). Anything else that is thrown is a bug.
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

/** A failure that its own place has logged already: the queue retries it and adds no second report. */
export class ToldFailure extends Error {
  override name = 'ToldFailure';
}

/** A job that can never succeed: no retry, straight to the dead letters. */
export class Unrecoverable extends Error {
  override name = 'Unrecoverable';
}
