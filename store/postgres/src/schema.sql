-- What a log is on PostgreSQL. Run whenever a log is opened; what is there already stays.

-- Two who open an empty database at once take turns.
SELECT pg_advisory_xact_lock(7162430812);

-- The end of each stream. Its row is locked by whoever changes anything of the stream; it has seq 0
-- where only private texts were kept so far.
CREATE TABLE IF NOT EXISTS streams (
    stream bytea PRIMARY KEY CHECK (octet_length(stream) = 16),
    seq    bigint NOT NULL CHECK (seq >= 0),
    hash   bytea NOT NULL CHECK (octet_length(hash) = 32)
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS records (
    stream bytea NOT NULL REFERENCES streams,
    seq    bigint NOT NULL CHECK (seq > 0),
    hash   bytea NOT NULL CHECK (octet_length(hash) = 32),
    bytes  bytea NOT NULL,
    PRIMARY KEY (stream, seq)
);
-- No attempt to compress.
ALTER TABLE records ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE IF NOT EXISTS commands (
    stream    bytea NOT NULL REFERENCES streams,
    command   bytea NOT NULL CHECK (octet_length(command) = 16),
    first_seq bigint NOT NULL CHECK (first_seq > 0),
    last_seq  bigint NOT NULL CHECK (last_seq >= first_seq),
    digest    bytea NOT NULL CHECK (octet_length(digest) = 32),
    PRIMARY KEY (stream, command)
);

-- Erased: no salt. Only taken: no field either. The text is bytes, because text cannot hold U+0000.
CREATE TABLE IF NOT EXISTS texts (
    stream bytea NOT NULL REFERENCES streams,
    number bigint NOT NULL CHECK (number BETWEEN 1 AND 4294967294),
    field  smallint,
    salt   bytea CHECK (octet_length(salt) = 32),
    text   bytea,
    PRIMARY KEY (stream, number),
    CHECK ((salt IS NULL) = (text IS NULL) AND (field IS NOT NULL OR salt IS NULL))
);

-- The stream is empty for a file of all tournaments.
CREATE TABLE IF NOT EXISTS side_files (
    room    smallint NOT NULL,
    stream  bytea NOT NULL CHECK (octet_length(stream) IN (0, 16)),
    number  bigint NOT NULL CHECK (number >= 0),
    content bytea NOT NULL,
    PRIMARY KEY (room, stream, number)
);

CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME;
END $$;

CREATE OR REPLACE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON records
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON commands
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
