/** For the operator to correct: the message is complete sentences, to which a stack trace would add nothing. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
