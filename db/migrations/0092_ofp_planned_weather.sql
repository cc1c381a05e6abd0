-- The defaults of a plan also need its TAF and the time of its METAR: plans stored without them are read whole.
UPDATE ofp_revision SET planned = NULL WHERE planned IS NOT NULL;
