-- The part of a plan for calculations has its settings as well: stored plans are read whole until they are imported again.
UPDATE ofp_revision SET planned = NULL WHERE planned IS NOT NULL;
