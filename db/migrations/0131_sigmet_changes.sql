-- The cache of the warnings holds all of them.
SELECT watch_for_caches('sigmet', 'sigmet', '''*''', 'id');
