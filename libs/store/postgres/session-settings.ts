/** Nobody waits for an answer of the API for longer. */
export const statementTimeoutMsOf = (application: string): number => (application === 'api' ? 5_000 : 60_000);

/** What a session requests at its start, in milliseconds. */
export const sessionSettings = (statementTimeoutMs: number) => ({
  statement_timeout: statementTimeoutMs,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
});
