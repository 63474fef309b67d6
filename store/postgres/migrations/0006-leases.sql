-- Leases: which server answers from memory what it knows of a tournament, for a few seconds. They save
-- work and protect nothing: two who write are told apart where they append. The stream of zeros stands
-- for what is done once for the whole store, such as deliveries.

CREATE TABLE scrutineer.leases (
    stream bytea PRIMARY KEY CHECK (octet_length(stream) = 16),
    node   text NOT NULL,
    until  timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Takes or renews leases that nobody else holds, and returns those that this server has now.
CREATE FUNCTION scrutineer.take_leases(the_node text, streams bytea[], seconds integer)
RETURNS SETOF bytea LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    now timestamptz := clock_timestamp();
BEGIN
    -- In one order, so that two servers wait for each other and not both for ever.
    RETURN QUERY INSERT INTO scrutineer.leases AS l
        SELECT DISTINCT s.stream, the_node, now + make_interval(secs => seconds)
        FROM unnest(streams) AS s (stream) ORDER BY 1
        ON CONFLICT (stream) DO UPDATE SET node = excluded.node, until = excluded.until
        WHERE l.node = excluded.node OR l.until < now
        RETURNING l.stream;
END $$;

-- Gives back every lease of a server that ends.
CREATE FUNCTION scrutineer.give_leases(the_node text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM scrutineer.leases l WHERE l.node = the_node;
END $$;
