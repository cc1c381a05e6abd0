-- A request waits here for its job, whether or not there is such an account: the API does the same work for both.
-- The job deletes the row in the transaction that answers it.
CREATE TABLE password_reset_request (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL,
  return_url text,
  requested_at timestamptz NOT NULL
);
