-- Stores that were kept elsewhere: many changes of the house, each with its time, and many entries of a floor at once.

-- Adds changes of the house behind the first so many; false where others stand there.
CREATE FUNCTION scrutineer.bring_house_changes(
    behind bigint, times text[], by_whom text[], whats text[])
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    last bigint;
BEGIN
    PERFORM FROM scrutineer.house FOR UPDATE;
    SELECT coalesce(max(c.seq), 0) INTO last FROM scrutineer.house_changes c;
    IF last <> behind THEN RETURN false; END IF;
    INSERT INTO scrutineer.house_changes
        SELECT behind + u.n, u.said_at, u.by_whom, u.what
        FROM unnest(times, by_whom, whats) WITH ORDINALITY AS u (said_at, by_whom, what, n);
    RETURN true;
END $$;

-- Adds entries to a floor behind the first so many; false where others stand there.
CREATE FUNCTION scrutineer.bring_floor(the_stream bytea, behind bigint, contents text[])
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    there bigint;
BEGIN
    INSERT INTO scrutineer.floors VALUES (the_stream, 0, scrutineer.slot(clock_timestamp()))
        ON CONFLICT DO NOTHING;
    SELECT f.entries INTO there FROM scrutineer.floors f WHERE f.stream = the_stream FOR UPDATE;
    IF there <> behind THEN RETURN false; END IF;
    INSERT INTO scrutineer.floor_entries
        SELECT the_stream, behind + u.n - 1, u.content
        FROM unnest(contents) WITH ORDINALITY AS u (content, n);
    UPDATE scrutineer.floors f SET entries = behind + cardinality(contents),
        changed_slot = scrutineer.slot(clock_timestamp()) WHERE f.stream = the_stream;
    RETURN true;
END $$;
