-- After the upgrade: only the previous version, which reads replicas, notes what callers have written.
DROP TABLE IF EXISTS caller_position;
