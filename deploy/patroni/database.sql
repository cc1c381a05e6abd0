-- psql -h LEADER -U postgres -v password=… -f database.sql
-- CREATEDB: each backup is tried by restoring it into a database that is dropped again.
CREATE ROLE efb LOGIN CREATEDB PASSWORD :'password';
CREATE DATABASE efb OWNER efb;
