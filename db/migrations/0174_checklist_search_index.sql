-- Outside a transaction: the table is large, and what copies are for and what they were copied from is filled in batches.
UPDATE checklist SET aircraft_types = CASE regexp_replace(based_on, '^default:[^:]*:', '')
  WHEN '737max' THEN '{B37M,B38M,B39M}'::text[]
  WHEN '737ng' THEN '{B736,B737,B738,B739}'
  WHEN '747-8' THEN '{B748}'
  WHEN '757-767' THEN '{B752,B753,B762,B763,B764}'
  WHEN '777' THEN '{B772,B77L,B773,B77W}'
  WHEN '787' THEN '{B788,B789,B78X}'
  WHEN 'a320-family' THEN '{A318,A319,A320,A321,A19N,A20N,A21N}'
  WHEN 'a330-300' THEN '{A333}'
  WHEN 'a350-900' THEN '{A359}'
  WHEN 'a380-800' THEN '{A388}' END
WHERE id = ANY (ARRAY(
  SELECT id FROM checklist WHERE aircraft_types = '{}'
    AND regexp_replace(based_on, '^default:[^:]*:', '') IN ('737max', '737ng', '747-8', '757-767', '777', '787', 'a320-family', 'a330-300', 'a350-900', 'a380-800')
  LIMIT 5000));
UPDATE checklist c SET origin_revision = o.revision FROM checklist o
WHERE o.id::text = lower(c.based_on) AND c.id = ANY (ARRAY(
  SELECT copied.id FROM checklist copied JOIN checklist original ON original.id::text = lower(copied.based_on)
  WHERE copied.origin_revision IS NULL LIMIT 5000));
-- Either part of a search alone uses it, too.
CREATE INDEX CONCURRENTLY IF NOT EXISTS checklist_search ON checklist
  USING gin (aircraft_types, checklist_words(name, description, aircraft_types)) WHERE share_community;
