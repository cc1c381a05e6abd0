/** What went wrong with a wind source or with the files of a cycle. */
export type WindFeedCode =
  | 'NOT_PUBLISHED'
  | 'FORBIDDEN'
  | 'REDIRECTED'
  | 'THROTTLED'
  | 'HTTP_STATUS'
  | 'UNREACHABLE'
  | 'NOT_GRIB'
  | 'DAMAGED'
  | 'STALE_INDEX'
  | 'GRID_REFUSED'
  | 'IMPLAUSIBLE'
  | 'INCOMPLETE_CYCLE'
  | 'NO_WIND_FIELDS';

/** Typed error of the wind feed; `retryAfterSeconds` is what a throttling server asked for. */
export class WindFeedError extends Error {
  override readonly name = 'WindFeedError';
  readonly code: WindFeedCode;
  readonly retryAfterSeconds: number | null;

  constructor(
    code: WindFeedCode,
    message: string,
    options: { retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}
