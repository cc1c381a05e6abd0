-- After the upgrade: the previous version stores names in other normal forms. This one stores NFC, so that what looks the same is equal.
-- Outside a transaction: some of the tables are large.
UPDATE app_user SET firstname = normalize(firstname), lastname = normalize(lastname)
  WHERE ctid = ANY(ARRAY(SELECT ctid FROM app_user WHERE firstname IS NOT NFC NORMALIZED OR lastname IS NOT NFC NORMALIZED LIMIT 5000));
UPDATE library_folder SET name = normalize(name)
  WHERE ctid = ANY(ARRAY(SELECT ctid FROM library_folder WHERE name IS NOT NFC NORMALIZED LIMIT 5000));
UPDATE library_file SET name = normalize(name)
  WHERE ctid = ANY(ARRAY(SELECT ctid FROM library_file WHERE name IS NOT NFC NORMALIZED LIMIT 5000));
UPDATE ofp SET name = normalize(name)
  WHERE ctid = ANY(ARRAY(SELECT ctid FROM ofp WHERE name IS NOT NFC NORMALIZED LIMIT 5000));
UPDATE checklist SET name = normalize(name)
  WHERE ctid = ANY(ARRAY(SELECT ctid FROM checklist WHERE name IS NOT NFC NORMALIZED LIMIT 5000));
-- An airline whose name another one has then, too, is told apart by its number, until the operator renames it.
UPDATE virtual_airline v SET name = normalize(name) || CASE WHEN EXISTS (
    SELECT 1 FROM virtual_airline o WHERE o.id <> v.id AND lower(normalize(o.name)) = lower(normalize(v.name)))
  THEN ' ' || id ELSE '' END
  WHERE name IS NOT NFC NORMALIZED;
