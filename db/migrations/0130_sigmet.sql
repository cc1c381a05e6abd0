-- Warnings of hazardous weather in an area: SIGMET, AIRMET and G-AIRMET, as the lists of the source have them now.
CREATE TABLE sigmet (
  -- Hash of the content.
  id text PRIMARY KEY,
  product text NOT NULL CHECK (product IN ('isigmet', 'airsigmet', 'gairmet')),
  valid_from timestamptz NOT NULL,
  valid_to timestamptz NOT NULL CHECK (valid_to > valid_from),
  item jsonb NOT NULL,
  source text NOT NULL,
  received_at timestamptz NOT NULL
);
CREATE INDEX sigmet_valid_to ON sigmet (valid_to);
