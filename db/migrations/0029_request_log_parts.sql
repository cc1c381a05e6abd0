COMMENT ON COLUMN request_log.response_digest IS
  'names a text in request_log_text: the response if that is null here, else an object whose members belong to it, too';
