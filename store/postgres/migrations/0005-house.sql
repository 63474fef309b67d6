-- The house: who is who, and what is shown; and the floors of the tournaments. Texts under keys in rooms,
-- which mean something to the server alone. Every change of the house is one call that names the version
-- it was decided on: of two servers that change it at once the later one reads on and decides again.

CREATE TABLE scrutineer.house (
    one       boolean PRIMARY KEY DEFAULT true CHECK (one),
    version   bigint NOT NULL,
    -- Of rows that were removed up to this version nothing may be left that says so.
    forgotten bigint NOT NULL
) WITH (fillfactor = 50);

INSERT INTO scrutineer.house VALUES (true, 0, 0);

-- A row without content was removed: it stays for a day, so that other servers learn of it.
CREATE TABLE scrutineer.house_rows (
    room       text NOT NULL,
    key        text NOT NULL,
    content    text,
    version    bigint NOT NULL,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (room, key)
);

CREATE INDEX house_rows_version ON scrutineer.house_rows (version);
CREATE INDEX house_rows_removed ON scrutineer.house_rows (changed_at) WHERE content IS NULL;

-- Who changed what, in words.
CREATE TABLE scrutineer.house_changes (
    seq     bigint PRIMARY KEY CHECK (seq > 0),
    said_at text NOT NULL,
    by_whom text NOT NULL,
    what    text NOT NULL
);

CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON scrutineer.house_changes
    FOR EACH STATEMENT EXECUTE FUNCTION scrutineer.refuse_change();

-- Which calls were carried out, for whoever lost the answer.
CREATE TABLE scrutineer.house_calls (
    id       bytea PRIMARY KEY CHECK (octet_length(id) = 16),
    version  bigint NOT NULL,
    kept_at  timestamptz NOT NULL
);

CREATE INDEX house_calls_kept ON scrutineer.house_calls (kept_at);

-- Writes rows, removes those without content, and says who did what. `seen` is the version that this was
-- decided on, or null where it holds for whatever stands. The answer is the version after it; null where
-- the house has another version than was seen, and nothing was done.
CREATE FUNCTION scrutineer.keep_house(
    the_id bytea, seen bigint, rooms text[], keys text[], contents text[], said_at text,
    by_whom text[], whats text[])
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    now   timestamptz := clock_timestamp();
    stands bigint;
    known bigint;
    last  bigint;
BEGIN
    SELECT h.version INTO stands FROM scrutineer.house h FOR UPDATE;
    SELECT c.version INTO known FROM scrutineer.house_calls c WHERE c.id = the_id;
    IF FOUND THEN RETURN known; END IF;
    IF seen IS NOT NULL AND seen <> stands THEN RETURN NULL; END IF;
    stands := stands + 1;
    INSERT INTO scrutineer.house_rows AS r
        SELECT DISTINCT ON (u.room, u.key) u.room, u.key, u.content, stands, now
        FROM unnest(rooms, keys, contents) WITH ORDINALITY AS u (room, key, content, n)
        ORDER BY u.room, u.key, u.n DESC
        ON CONFLICT (room, key) DO UPDATE SET content = excluded.content,
            version = excluded.version, changed_at = excluded.changed_at;
    IF cardinality(by_whom) > 0 THEN
        SELECT coalesce(max(c.seq), 0) INTO last FROM scrutineer.house_changes c;
        INSERT INTO scrutineer.house_changes
            SELECT last + u.n, said_at, u.by_whom, u.what
            FROM unnest(by_whom, whats) WITH ORDINALITY AS u (by_whom, what, n);
    END IF;
    INSERT INTO scrutineer.house_calls VALUES (the_id, stands, now);
    DELETE FROM scrutineer.house_calls c WHERE c.kept_at < now - interval '1 hour';
    WITH gone AS (
        DELETE FROM scrutineer.house_rows r
            WHERE r.content IS NULL AND r.changed_at < now - interval '1 day' RETURNING r.version
    ) SELECT max(g.version) INTO last FROM gone g;
    UPDATE scrutineer.house h SET version = stands,
        forgotten = greatest(h.forgotten, coalesce(last, 0));
    RETURN stands;
END $$;

-- The floors: how many entries each has, and which.
CREATE TABLE scrutineer.floors (
    stream       bytea PRIMARY KEY CHECK (octet_length(stream) = 16),
    entries      bigint NOT NULL CHECK (entries >= 0),
    changed_slot bigint NOT NULL
) WITH (fillfactor = 50);

CREATE INDEX floors_changed ON scrutineer.floors (changed_slot);

CREATE TABLE scrutineer.floor_entries (
    stream  bytea NOT NULL CHECK (octet_length(stream) = 16),
    number  bigint NOT NULL CHECK (number >= 0),
    content text NOT NULL,
    PRIMARY KEY (stream, number)
);

-- Adds an entry behind the first so many; false where another one stands there. The same again is there.
CREATE FUNCTION scrutineer.add_to_floor(the_stream bytea, behind bigint, the_content text)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    there bigint;
BEGIN
    INSERT INTO scrutineer.floors VALUES (the_stream, 0, scrutineer.slot(clock_timestamp()))
        ON CONFLICT DO NOTHING;
    SELECT f.entries INTO there FROM scrutineer.floors f WHERE f.stream = the_stream FOR UPDATE;
    IF there <> behind THEN
        RETURN EXISTS (SELECT FROM scrutineer.floor_entries e
            WHERE e.stream = the_stream AND e.number = behind AND e.content = the_content);
    END IF;
    INSERT INTO scrutineer.floor_entries VALUES (the_stream, behind, the_content);
    UPDATE scrutineer.floors f
        SET entries = behind + 1, changed_slot = scrutineer.slot(clock_timestamp())
        WHERE f.stream = the_stream;
    RETURN true;
END $$;

CREATE FUNCTION scrutineer.remove_floor(the_stream bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM FROM scrutineer.floors f WHERE f.stream = the_stream FOR UPDATE;
    DELETE FROM scrutineer.floor_entries e WHERE e.stream = the_stream;
    DELETE FROM scrutineer.floors f WHERE f.stream = the_stream;
END $$;
