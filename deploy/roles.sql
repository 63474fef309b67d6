-- The roles and the database, typed once as the superuser: psql -f roles.sql. docs/POSTGRES.md says who is who.
-- Passwords come from the environment, so that none stands in a command.
\getenv owner_password OWNER_PASSWORD
\getenv node_password NODE_PASSWORD
CREATE ROLE scrutineer_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE scrutineer_server NOLOGIN;
CREATE ROLE scrutineer_private NOLOGIN;
GRANT scrutineer_private TO scrutineer_owner;
CREATE DATABASE scrutineer OWNER scrutineer_owner ENCODING 'UTF8' TEMPLATE template0;
CREATE ROLE scrutineer_node LOGIN PASSWORD :'node_password';
GRANT scrutineer_server TO scrutineer_node;
