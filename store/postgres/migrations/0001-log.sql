-- The log: streams with their ends, records and commands. What changes them is a function that the
-- server's role may call; it may change nothing itself.

-- The end of each stream. Its row is locked by whoever changes anything of the stream; it has seq 0
-- where only private texts were kept so far. Half of each page stays free, so that a change stays
-- in its page and touches no index while the slot of its time is the same: five seconds are a slot.
CREATE TABLE scrutineer.streams (
    stream       bytea PRIMARY KEY CHECK (octet_length(stream) = 16),
    seq          bigint NOT NULL CHECK (seq >= 0),
    hash         bytea NOT NULL CHECK (octet_length(hash) = 32),
    changed_at   timestamptz NOT NULL,
    changed_slot bigint NOT NULL
) WITH (fillfactor = 50);

CREATE INDEX streams_changed ON scrutineer.streams (changed_slot);

-- No reference to streams: it would be looked up for every single record, and only one function adds.
CREATE TABLE scrutineer.records (
    stream bytea NOT NULL CHECK (octet_length(stream) = 16),
    seq    bigint NOT NULL CHECK (seq > 0),
    hash   bytea NOT NULL CHECK (octet_length(hash) = 32),
    bytes  bytea NOT NULL,
    PRIMARY KEY (stream, seq)
);

-- Payloads are packed already: trying to compress them costs time and gains nothing.
ALTER TABLE scrutineer.records ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE scrutineer.commands (
    stream    bytea NOT NULL CHECK (octet_length(stream) = 16),
    command   bytea NOT NULL CHECK (octet_length(command) = 16),
    first_seq bigint NOT NULL CHECK (first_seq > 0),
    last_seq  bigint NOT NULL CHECK (last_seq >= first_seq),
    digest    bytea NOT NULL CHECK (octet_length(digest) = 32),
    PRIMARY KEY (stream, command)
);

CREATE FUNCTION scrutineer.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME;
END $$;

CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON scrutineer.records
    FOR EACH STATEMENT EXECUTE FUNCTION scrutineer.refuse_change();
CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON scrutineer.commands
    FOR EACH STATEMENT EXECUTE FUNCTION scrutineer.refuse_change();

CREATE FUNCTION scrutineer.slot(moment timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT floor(extract(epoch FROM moment) / 5)::bigint
$$;

-- Locks a stream until the transaction ends, and tells its end. The lock is a change: whoever waits
-- for the commit waits for the standby as well, and is never told what a standby may not have.
CREATE FUNCTION scrutineer.lock_stream(the_stream bytea, OUT seq bigint, OUT hash bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    SELECT s.seq, s.hash INTO seq, hash FROM scrutineer.streams s
        WHERE s.stream = the_stream FOR UPDATE;
    IF FOUND THEN RETURN; END IF;
    INSERT INTO scrutineer.streams VALUES (the_stream, 0, decode(repeat('00', 32), 'hex'),
        clock_timestamp(), scrutineer.slot(clock_timestamp())) ON CONFLICT DO NOTHING;
    SELECT s.seq, s.hash INTO seq, hash FROM scrutineer.streams s
        WHERE s.stream = the_stream FOR UPDATE;
END $$;

-- Which timelines this data has lived on: a server that is on an earlier one than its data has been
-- replaced.
CREATE TABLE scrutineer.timelines (
    server   bigint NOT NULL,
    timeline integer NOT NULL CHECK (timeline > 0),
    since    timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (server, timeline)
);

-- Notes the timeline of this server, and returns the newest one that its data knows. It waits for no
-- standby: what is noted here is not needed anywhere else.
CREATE FUNCTION scrutineer.note_timeline(the_server bigint, the_timeline integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    newest integer;
BEGIN
    SELECT max(t.timeline) INTO newest FROM scrutineer.timelines t WHERE t.server = the_server;
    IF newest IS NULL OR newest < the_timeline THEN
        PERFORM set_config('synchronous_commit', 'local', true);
        INSERT INTO scrutineer.timelines (server, timeline) VALUES (the_server, the_timeline)
            ON CONFLICT DO NOTHING;
        newest := the_timeline;
    END IF;
    RETURN newest;
END $$;

-- Notes that something of a stream changed that is no event, such as a text.
CREATE FUNCTION scrutineer.touch(the_stream bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    now timestamptz := clock_timestamp();
BEGIN
    UPDATE scrutineer.streams s SET changed_at = now, changed_slot = scrutineer.slot(now)
        WHERE s.stream = the_stream;
END $$;
