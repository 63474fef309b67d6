-- Side files: what is kept beside the log. A long one stands in pieces, so that appending writes
-- none of them again. The stream is empty for a file of all tournaments.

CREATE TABLE scrutineer.side_files (
    room   smallint NOT NULL,
    stream bytea NOT NULL CHECK (octet_length(stream) IN (0, 16)),
    number bigint NOT NULL CHECK (number >= 0),
    length bigint NOT NULL CHECK (length >= 0),
    PRIMARY KEY (room, stream, number)
);

CREATE TABLE scrutineer.side_pieces (
    room   smallint NOT NULL,
    stream bytea NOT NULL,
    number bigint NOT NULL,
    place  bigint NOT NULL CHECK (place >= 0),
    bytes  bytea NOT NULL,
    PRIMARY KEY (room, stream, number, place),
    FOREIGN KEY (room, stream, number) REFERENCES scrutineer.side_files ON DELETE CASCADE
);

ALTER TABLE scrutineer.side_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Appends behind the first `keep` bytes of a file that has `seen` bytes; false where it has not.
CREATE FUNCTION scrutineer.append_file(
    the_room smallint, the_stream bytea, the_number bigint, seen bigint, keep bigint, more bytea)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    there bigint;
    last  record;
BEGIN
    IF keep > seen THEN RETURN false; END IF;
    SELECT f.length INTO there FROM scrutineer.side_files f
        WHERE f.room = the_room AND f.stream = the_stream AND f.number = the_number FOR UPDATE;
    IF NOT FOUND THEN
        IF seen <> 0 THEN RETURN false; END IF;
        INSERT INTO scrutineer.side_files VALUES (the_room, the_stream, the_number, 0)
            ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN RETURN false; END IF;
    ELSIF there <> seen THEN
        RETURN false;
    END IF;
    DELETE FROM scrutineer.side_pieces p WHERE p.room = the_room AND p.stream = the_stream
        AND p.number = the_number AND p.place >= keep;
    SELECT p.place, octet_length(p.bytes) AS size INTO last FROM scrutineer.side_pieces p
        WHERE p.room = the_room AND p.stream = the_stream AND p.number = the_number
        ORDER BY p.place DESC LIMIT 1;
    -- What must be cut is written again, and so is a short piece, so that lines share one.
    IF FOUND AND (last.place + last.size > keep OR last.size + octet_length(more) <= 8192) THEN
        UPDATE scrutineer.side_pieces p
            SET bytes = substring(p.bytes FOR (keep - last.place)::integer) || more
            WHERE p.room = the_room AND p.stream = the_stream AND p.number = the_number
            AND p.place = last.place;
    ELSE
        INSERT INTO scrutineer.side_pieces VALUES (the_room, the_stream, the_number, keep, more);
    END IF;
    UPDATE scrutineer.side_files f SET length = keep + octet_length(more)
        WHERE f.room = the_room AND f.stream = the_stream AND f.number = the_number;
    RETURN true;
END $$;

-- Replaces a file that holds `seen`, or that is not there where `seen` is null; false otherwise.
CREATE FUNCTION scrutineer.replace_file(
    the_room smallint, the_stream bytea, the_number bigint, seen bytea, content bytea)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    there bigint;
    holds bytea;
BEGIN
    IF seen IS NULL THEN
        INSERT INTO scrutineer.side_files
            VALUES (the_room, the_stream, the_number, octet_length(content)) ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN RETURN false; END IF;
    ELSE
        SELECT f.length INTO there FROM scrutineer.side_files f
            WHERE f.room = the_room AND f.stream = the_stream AND f.number = the_number FOR UPDATE;
        IF NOT FOUND OR there <> octet_length(seen) THEN RETURN false; END IF;
        SELECT coalesce(string_agg(p.bytes, '' ORDER BY p.place), '') INTO holds
            FROM scrutineer.side_pieces p
            WHERE p.room = the_room AND p.stream = the_stream AND p.number = the_number;
        IF holds <> seen THEN RETURN false; END IF;
        DELETE FROM scrutineer.side_pieces p
            WHERE p.room = the_room AND p.stream = the_stream AND p.number = the_number;
        UPDATE scrutineer.side_files f SET length = octet_length(content)
            WHERE f.room = the_room AND f.stream = the_stream AND f.number = the_number;
    END IF;
    INSERT INTO scrutineer.side_pieces VALUES (the_room, the_stream, the_number, 0, content);
    RETURN true;
END $$;

CREATE FUNCTION scrutineer.remove_file(the_room smallint, the_stream bytea, the_number bigint)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM scrutineer.side_files f
        WHERE f.room = the_room AND f.stream = the_stream AND f.number = the_number;
    RETURN FOUND;
END $$;

-- The name of the key under which secret files are encrypted, so that no node begins with another one. It
-- says nothing about the key, which the database never has.
CREATE TABLE scrutineer.secret_key (
    one  boolean PRIMARY KEY DEFAULT true CHECK (one),
    name bytea NOT NULL CHECK (octet_length(name) = 4)
);

-- The name of the key that is in use: this one, if none was before. Null asks only.
CREATE FUNCTION scrutineer.use_key(the_name bytea) RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    used bytea;
BEGIN
    SELECT k.name INTO used FROM scrutineer.secret_key k;
    IF used IS NULL AND the_name IS NOT NULL THEN
        INSERT INTO scrutineer.secret_key (name) VALUES (the_name) ON CONFLICT DO NOTHING;
        SELECT k.name INTO used FROM scrutineer.secret_key k;
    END IF;
    RETURN used;
END $$;
