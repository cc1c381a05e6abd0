-- The admin of a deleted airline keeps the role without one, until another is assigned or the role is removed.
ALTER TABLE va_admin DROP CONSTRAINT va_admin_va_id_fkey,
  ADD CONSTRAINT va_admin_va_id_fkey FOREIGN KEY (va_id) REFERENCES virtual_airline (id) ON DELETE SET NULL;
CREATE INDEX va_admin_va ON va_admin (va_id);

-- Logos that the operator gives as files; `logo`, `logo_dark` and `logo_white` of the airline are URLs, or `logos/{id}`.
CREATE TABLE va_logo (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  va_id integer NOT NULL REFERENCES virtual_airline (id) ON DELETE CASCADE,
  media_type text NOT NULL,
  content bytea NOT NULL
);
CREATE INDEX va_logo_va ON va_logo (va_id);
