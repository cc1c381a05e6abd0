-- psql -h LEADER -U postgres -v password=… -f database.sql
CREATE ROLE efb LOGIN PASSWORD :'password';
CREATE DATABASE efb OWNER efb;
