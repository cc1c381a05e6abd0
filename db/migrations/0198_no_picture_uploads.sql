-- After the upgrade: the previous version resizes pictures in a worker, which this one does in the call.
DROP TABLE picture_upload;
