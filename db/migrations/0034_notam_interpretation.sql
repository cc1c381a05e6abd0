-- What a text says is computed once: the runways that it names, and the version of the readers that did it.
-- Rows of older versions are interpreted again by the job notam.interpret.
ALTER TABLE notam ADD COLUMN runways text[] NOT NULL DEFAULT '{}',
  ADD COLUMN parser_version integer NOT NULL DEFAULT 1;
CREATE INDEX notam_parser_version ON notam (parser_version) WHERE cancelled_at IS NULL;
