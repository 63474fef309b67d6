-- Private texts: a schema and a role of their own. Rows can be emptied and deleted, for good.

SET LOCAL ROLE scrutineer_private;

-- Erased: no salt. Only taken: no field either. The text is bytes, because text cannot hold U+0000.
CREATE TABLE scrutineer_private.texts (
    stream bytea NOT NULL CHECK (octet_length(stream) = 16),
    number bigint NOT NULL CHECK (number BETWEEN 1 AND 4294967294),
    field  smallint,
    salt   bytea CHECK (octet_length(salt) = 32),
    text   bytea CHECK (octet_length(text) <= 8192),
    PRIMARY KEY (stream, number),
    CHECK ((salt IS NULL) = (text IS NULL) AND (field IS NOT NULL OR salt IS NULL))
);

-- Adds texts whose numbers go on from the last one. Where one does not, nothing is added, and the
-- answer names it and the number that is free.
CREATE FUNCTION scrutineer_private.add_texts(
    the_stream bytea, numbers bigint[], fields smallint[], salts bytea[], texts bytea[],
    OUT taken bigint, OUT free bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    last bigint;
BEGIN
    SELECT coalesce(max(t.number), 0) INTO last FROM scrutineer_private.texts t
        WHERE t.stream = the_stream;
    SELECT e.number, e.before + 1 INTO taken, free
        FROM (SELECT number, n, lag(number, 1, last) OVER (ORDER BY n) AS before
              FROM unnest(numbers) WITH ORDINALITY AS u (number, n)) e
        WHERE e.number <= e.before OR e.number > 4294967294 ORDER BY e.n LIMIT 1;
    IF FOUND THEN RETURN; END IF;
    INSERT INTO scrutineer_private.texts
        SELECT the_stream, u.* FROM unnest(numbers, fields, salts, texts) AS u;
END $$;

-- Keeps the texts of a command. Those that stand there word for word are taken for written; a
-- stream that begins may find others of an earlier try, to which no record refers.
CREATE FUNCTION scrutineer_private.keep_texts(
    the_stream bytea, begins boolean, numbers bigint[], fields smallint[], salts bytea[],
    texts bytea[], OUT taken bigint, OUT free bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    total integer := cardinality(numbers);
    there integer := 0;
    last  bigint;
BEGIN
    SELECT coalesce(max(t.number), 0) INTO last FROM scrutineer_private.texts t
        WHERE t.stream = the_stream;
    IF numbers[1] <= last THEN
        SELECT coalesce(min(e.n) - 1, total) INTO there
            FROM unnest(numbers, fields, salts, texts) WITH ORDINALITY
                AS e (number, field, salt, text, n)
            LEFT JOIN scrutineer_private.texts t ON t.stream = the_stream AND t.number = e.number
            WHERE (t.field, t.salt, t.text) IS DISTINCT FROM (e.field, e.salt, e.text);
        IF begins AND there = 0 THEN
            DELETE FROM scrutineer_private.texts t WHERE t.stream = the_stream;
        END IF;
    END IF;
    IF there < total THEN
        SELECT a.taken, a.free INTO taken, free FROM scrutineer_private.add_texts(the_stream,
            numbers[there + 1:], fields[there + 1:], salts[there + 1:], texts[there + 1:]) a;
    END IF;
END $$;

CREATE FUNCTION scrutineer_private.forget_texts(the_stream bytea, numbers bigint[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    emptied bigint;
BEGIN
    UPDATE scrutineer_private.texts t SET salt = NULL, text = NULL
        WHERE t.stream = the_stream AND t.number = ANY (numbers) AND t.salt IS NOT NULL;
    GET DIAGNOSTICS emptied = ROW_COUNT;
    RETURN emptied;
END $$;

-- Puts this under its numbers, whatever stood there.
CREATE FUNCTION scrutineer_private.put_texts(
    the_stream bytea, numbers bigint[], fields smallint[], salts bytea[], texts bytea[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO scrutineer_private.texts AS t
        SELECT the_stream, u.* FROM unnest(numbers, fields, salts, texts) AS u
        ON CONFLICT (stream, number) DO UPDATE
        SET field = excluded.field, salt = excluded.salt, text = excluded.text;
END $$;

CREATE FUNCTION scrutineer_private.discard_texts(the_stream bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM scrutineer_private.texts t WHERE t.stream = the_stream;
END $$;

RESET ROLE;

-- What the server's role may call: each locks the stream first, as whoever appends does.

CREATE FUNCTION scrutineer.add_texts(
    the_stream bytea, numbers bigint[], fields smallint[], salts bytea[], texts bytea[],
    OUT taken bigint, OUT free bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM scrutineer.lock_stream(the_stream);
    SELECT a.taken, a.free INTO taken, free
        FROM scrutineer_private.add_texts(the_stream, numbers, fields, salts, texts) a;
END $$;

CREATE FUNCTION scrutineer.forget_texts(the_stream bytea, numbers bigint[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM scrutineer.lock_stream(the_stream);
    PERFORM scrutineer.touch(the_stream);
    RETURN scrutineer_private.forget_texts(the_stream, numbers);
END $$;

CREATE FUNCTION scrutineer.put_texts(
    the_stream bytea, numbers bigint[], fields smallint[], salts bytea[], texts bytea[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM scrutineer.lock_stream(the_stream);
    PERFORM scrutineer.touch(the_stream);
    PERFORM scrutineer_private.put_texts(the_stream, numbers, fields, salts, texts);
END $$;

CREATE FUNCTION scrutineer.discard_texts(the_stream bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM scrutineer.lock_stream(the_stream);
    PERFORM scrutineer.touch(the_stream);
    PERFORM scrutineer_private.discard_texts(the_stream);
END $$;

-- Appends one command with its texts, if the stream still ends where its writer thought.
-- `answer` is `appended`, `known` (first_seq, last_seq and digest tell what stands there),
-- `conflict` (seq and hash tell the end) or `texts` (number `taken` is not free, `free` is).
CREATE FUNCTION scrutineer.append(
    the_stream bytea, the_command bytea, the_digest bytea, expected_seq bigint,
    expected_hash bytea, hashes bytea[], contents bytea[], numbers bigint[], fields smallint[],
    salts bytea[], texts bytea[], OUT answer text, OUT seq bigint, OUT hash bytea,
    OUT first_seq bigint, OUT last_seq bigint, OUT digest bytea, OUT taken bigint, OUT free bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    total integer := cardinality(hashes);
    now   timestamptz;
BEGIN
    IF total = 0 OR total <> cardinality(contents) THEN
        RAISE EXCEPTION 'a command has as many hashes as records, and at least one';
    END IF;
    SELECT s.seq, s.hash INTO seq, hash FROM scrutineer.streams s
        WHERE s.stream = the_stream FOR UPDATE;
    IF NOT FOUND THEN
        SELECT l.seq, l.hash INTO seq, hash FROM scrutineer.lock_stream(the_stream) l;
    END IF;
    SELECT c.first_seq, c.last_seq, c.digest INTO first_seq, last_seq, digest
        FROM scrutineer.commands c WHERE c.stream = the_stream AND c.command = the_command;
    IF FOUND THEN
        answer := 'known';
        RETURN;
    END IF;
    IF seq <> expected_seq OR hash <> expected_hash THEN
        answer := 'conflict';
        RETURN;
    END IF;
    IF cardinality(numbers) > 0 THEN
        SELECT k.taken, k.free INTO taken, free FROM scrutineer_private.keep_texts(
            the_stream, expected_seq = 0, numbers, fields, salts, texts) k;
        IF taken IS NOT NULL THEN
            answer := 'texts';
            RETURN;
        END IF;
    END IF;
    INSERT INTO scrutineer.records
        SELECT the_stream, expected_seq + r.n, r.hash, r.bytes
        FROM unnest(hashes, contents) WITH ORDINALITY AS r (hash, bytes, n);
    INSERT INTO scrutineer.commands
        VALUES (the_stream, the_command, expected_seq + 1, expected_seq + total, the_digest);
    now := clock_timestamp();
    UPDATE scrutineer.streams s SET seq = expected_seq + total, hash = hashes[total],
        changed_at = now, changed_slot = floor(extract(epoch FROM now) / 5)::bigint
        WHERE s.stream = the_stream;
    answer := 'appended';
END $$;
