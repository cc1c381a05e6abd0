-- Names and logos of virtual airlines are kept by the API processes like identities are.
CREATE TRIGGER identity_changed AFTER INSERT OR DELETE OR UPDATE ON virtual_airline
  FOR EACH STATEMENT EXECUTE FUNCTION notify_identity_changed();
