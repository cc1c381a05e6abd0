/** What a session requests at its start, in milliseconds. */
export const sessionSettings = (statementTimeoutMs: number) => ({
  statement_timeout: statementTimeoutMs,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
});
