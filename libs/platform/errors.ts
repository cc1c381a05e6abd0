/** The first line of an error, without a stack, short enough for a table. */
export const oneLineOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message || error.name : String(error);
  // The database refuses NUL, and a terminal must not interpret other control characters.
  const printable = text.slice(0, 5_000).replace(/\p{Cc}/gu, ' ');
  return printable.replace(/\s+/g, ' ').trim().slice(0, 500).toWellFormed();
};

/** An error that the operator can correct: its message is complete, and a stack trace would not help. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
