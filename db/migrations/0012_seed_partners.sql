-- Partner airlines (fictional) that a fresh service shows: one with a single logo, two with a pair of logos.
INSERT INTO virtual_airline (name, website, contact_email, logo, logo_dark, logo_white, is_partner, legacy_name)
VALUES
  ('Northern Lights Virtual', 'https://northernlights.example', 'crew@northernlights.example',
    'https://northernlights.example/logo.svg', NULL, NULL, true, 'NORTHERN_LIGHTS'),
  ('Meridian Virtual Airways', 'https://meridian.example', 'ops@meridian.example',
    NULL, 'https://meridian.example/logo-dark.svg', 'https://meridian.example/logo-white.svg', true, NULL),
  ('Harbour Island Air', 'https://harbourisland.example', 'hello@harbourisland.example',
    NULL, 'https://harbourisland.example/logo-dark.svg', 'https://harbourisland.example/logo-white.svg', true, NULL)
ON CONFLICT DO NOTHING;
