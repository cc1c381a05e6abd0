-- As for fleets: a row that is deleted in any way, also with its space, leaves the key of its file to the sweep.
CREATE TRIGGER leave_file_to_sweep AFTER DELETE ON library_file
  FOR EACH ROW EXECUTE FUNCTION leave_file_to_sweep('storage_key');
