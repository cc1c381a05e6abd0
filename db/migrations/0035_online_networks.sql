-- The names of the online networks are part of the published schemas, so they are in the code.
DROP TABLE online_network;
