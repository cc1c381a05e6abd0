/** Rows of one account that has as much of everything as the service allows, or as ten years bring. */

/**
 * Like the tables of `fillGrown`, for the user `$user` of `$from`; the statements run one after the other.
 */
export const heavyRows = (user: number, checklist: string): string[] => {
  const plans = `(SELECT * FROM ofp WHERE user_id = ${user} AND name LIKE 'HEAVY %')`;
  return [
    `INSERT INTO checklist (user_id, name, version, document, share_community, created_at, updated_at)
      SELECT ${user}, 'Heavy ' || i, '1.0', '${checklist.replaceAll("'", "''")}', false, now(), now() FROM generate_series(1, 490) i`,
    `INSERT INTO library_file (space_id, folder_id, name, type, url, created_at, updated_at, changed_at)
      SELECT ${user}, ${user}, 'Heavy ' || i, 'video_url', 'https://vimeo.com/1', now(), now(), now() - i * interval '1 minute' FROM generate_series(1, 19900) i`,
    `INSERT INTO calculation (public_id, user_id, kind, profile, airport, request, result, created_at)
      SELECT gen_random_uuid(), ${user}, 'landingEnroute', '737-800-7B26', 'KJFK', '{"a": 1}', '{}', now() - random() * interval '30 days'
      FROM generate_series(1, 5000) i`,
    `INSERT INTO calculation_day (user_id, day, kind, profile, airport, times)
      SELECT ${user}, current_date - d, 'landingEnroute', '737-800-7B26', 'KJFK', string_agg(chr(32 + q * 7 % 96), '')
      FROM generate_series(100, 370) d, generate_series(1, 166) q GROUP BY d`,
    `INSERT INTO ofp (id, user_id, name, source, content_hash, generated_at, facts, created_at, imported_at, expires_at)
      SELECT 'OFP-' || substr(translate(md5('heavy' || i), '01', 'xy'), 1, 20), ${user}, 'HEAVY ' || i, 'json', md5('heavy' || i), now(), o.facts,
        now(), now() - i * interval '1 minute', now() + interval '90 days'
      FROM generate_series(1, 190) i, (SELECT facts FROM ofp WHERE user_id = ${user} LIMIT 1) o`,
    `INSERT INTO ofp_revision (ofp_id, revision, imported_at, normalized, original, planned)
      SELECT o.id, 1, o.imported_at, r.normalized, r.original, r.planned
      FROM ${plans} o, (SELECT r.* FROM ofp_revision r JOIN ofp p ON p.id = r.ofp_id WHERE p.user_id = ${user} AND name NOT LIKE 'HEAVY %' LIMIT 1) r`,
    `INSERT INTO flight_data (owner_id, ofp_id, data_key, version, payload_bytes, stored_bytes, created_at, updated_at, created_by, updated_by)
      SELECT user_id, id, 'fuel' || k, 1, 1000, 1000, imported_at, imported_at, user_id, user_id FROM ${plans} o, generate_series(1, 20) k`,
    `INSERT INTO flight_data_change (flight_data_id, version, change_type, payload, payload_bytes, changed_at, changed_by)
      SELECT f.id, 1, 'insert', '{"a":"' || repeat(md5(f.id::text), 30) || '"}', 1000, f.updated_at, f.owner_id
      FROM flight_data f JOIN ${plans} o ON o.id = f.ofp_id`,
    `INSERT INTO ofp_share (owner_id, ofp_id, recipient_id, email, permission, status, token_hash, code_hash, sealed, created_at, accepted_at)
      SELECT user_id, id, ${user} + 1, 'x@grown.example.org', 'view', 'accepted', convert_to('h' || id || k, 'UTF8'), convert_to('c' || id || k, 'UTF8'),
        NULL, now(), now() FROM ${plans} o, generate_series(1, 50) k`,
    `INSERT INTO outgoing_mail (key, recipient, subject, created_at, sent_at, state)
      SELECT 'heavy' || i, (SELECT email FROM app_user WHERE id = ${user}), 'S', now(), now(), 'sent' FROM generate_series(1, 2000) i`,
  ];
};
