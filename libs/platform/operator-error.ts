/** An error that the operator can correct: its message is complete, and a stack trace would not help. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
