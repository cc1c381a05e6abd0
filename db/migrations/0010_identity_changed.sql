-- API processes keep identities for a moment; any change of what they hold tells them to forget.
CREATE FUNCTION notify_identity_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('identity_changed', '');
  RETURN NULL;
END $$;

-- last_login_at and preferences change often and are not part of an identity.
CREATE TRIGGER identity_changed AFTER INSERT OR DELETE OR
  UPDATE OF email, api_key, token_generation, disabled_at, active_va_id ON app_user
  FOR EACH STATEMENT EXECUTE FUNCTION notify_identity_changed();
CREATE TRIGGER identity_changed AFTER INSERT OR DELETE OR UPDATE ON subscription
  FOR EACH STATEMENT EXECUTE FUNCTION notify_identity_changed();
CREATE TRIGGER identity_changed AFTER INSERT OR DELETE OR UPDATE ON product
  FOR EACH STATEMENT EXECUTE FUNCTION notify_identity_changed();
CREATE TRIGGER identity_changed AFTER INSERT OR DELETE OR UPDATE ON developer_key
  FOR EACH STATEMENT EXECUTE FUNCTION notify_identity_changed();
CREATE TRIGGER identity_changed AFTER INSERT OR DELETE OR UPDATE ON va_member
  FOR EACH STATEMENT EXECUTE FUNCTION notify_identity_changed();
CREATE TRIGGER identity_changed AFTER INSERT OR DELETE OR UPDATE ON va_admin
  FOR EACH STATEMENT EXECUTE FUNCTION notify_identity_changed();
