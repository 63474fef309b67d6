-- Copies of tournaments that were recorded elsewhere: many commands of a stream at once, each with the
-- place of its last record. `answer` is `appended`, or `conflict` with the end of the stream.
CREATE FUNCTION scrutineer.append_all(
    the_stream bytea, expected_seq bigint, expected_hash bytea, commands bytea[], lasts bigint[],
    digests bytea[], hashes bytea[], contents bytea[],
    OUT answer text, OUT seq bigint, OUT hash bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    total integer := cardinality(hashes);
    now   timestamptz;
BEGIN
    IF total = 0 OR total <> cardinality(contents) OR cardinality(commands) = 0
        OR lasts[cardinality(lasts)] <> expected_seq + total THEN
        RAISE EXCEPTION 'commands have as many hashes as records, and the last one ends with the last record';
    END IF;
    SELECT l.seq, l.hash INTO seq, hash FROM scrutineer.lock_stream(the_stream) l;
    IF seq <> expected_seq OR hash <> expected_hash THEN
        answer := 'conflict';
        RETURN;
    END IF;
    INSERT INTO scrutineer.records
        SELECT the_stream, expected_seq + r.n, r.hash, r.bytes
        FROM unnest(hashes, contents) WITH ORDINALITY AS r (hash, bytes, n);
    INSERT INTO scrutineer.commands
        SELECT the_stream, c.command, lag(c.last, 1, expected_seq) OVER (ORDER BY c.n) + 1, c.last,
            c.digest
        FROM unnest(commands, lasts, digests) WITH ORDINALITY AS c (command, last, digest, n);
    now := clock_timestamp();
    UPDATE scrutineer.streams s SET seq = expected_seq + total, hash = hashes[total],
        changed_at = now, changed_slot = scrutineer.slot(now)
        WHERE s.stream = the_stream;
    answer := 'appended';
END $$;
