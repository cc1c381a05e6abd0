-- The scheme of links into the app of this key, in place of app: null is app.
ALTER TABLE developer_key ADD COLUMN app_scheme text CHECK (app_scheme ~ '^[a-z][a-z0-9+.-]{1,40}$');
