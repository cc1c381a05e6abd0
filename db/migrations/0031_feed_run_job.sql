-- The job and the process of a run, so that the process that takes the job over can close the row of a killed one.
ALTER TABLE feed_run ADD COLUMN job_id text, ADD COLUMN process text;
CREATE INDEX feed_run_unfinished ON feed_run (job_id) WHERE finished_at IS NULL;
