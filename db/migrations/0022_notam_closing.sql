-- The few NOTAM that can close a runway, for the count of closed directions.
CREATE INDEX notam_closing ON notam (from_at) WHERE cancelled_at IS NULL AND effects
  @? '$[*] ? (@.kind == "closed" || @.kind == "allRunwaysClosed" || @.kind == "aerodromeClosed")';
