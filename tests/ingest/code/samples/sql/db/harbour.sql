-- The harbour: its ports, who sails between them, and how high the water stands.
-- Runs from top to bottom on an empty database.

CREATE TYPE tide_state AS ENUM ('high', 'low', 'turning');

CREATE SEQUENCE parcel_numbers START 1000;

-- Where ships may moor.
CREATE TABLE ports (
    id serial PRIMARY KEY,
    name text NOT NULL UNIQUE,
    depth numeric(5, 2) NOT NULL
);

/* Whoever carries parcels.
   A courier has one home. */
CREATE TABLE IF NOT EXISTS crew.couriers (
    id serial PRIMARY KEY,
    name text NOT NULL,
    home_id integer NOT NULL REFERENCES ports (id) ON DELETE CASCADE
);

CREATE TABLE parcels (
    number integer DEFAULT nextval('parcel_numbers'),
    courier_id integer,
    port_id integer,
    weight integer NOT NULL,
    PRIMARY KEY (number),
    FOREIGN KEY (courier_id) REFERENCES crew.couriers (id),
    FOREIGN KEY (port_id) REFERENCES ports (id)
);

CREATE TABLE tides (
    port_id integer REFERENCES ports (id),
    measured timestamp NOT NULL,
    height numeric(5, 2) NOT NULL
);

CREATE INDEX tides_by_port ON tides (port_id, measured);

-- How high the water stood last at a port.
CREATE FUNCTION last_height(port integer) RETURNS numeric AS $$
    SELECT height FROM tides WHERE port_id = port ORDER BY measured DESC LIMIT 1;
$$ LANGUAGE sql;

CREATE OR REPLACE VIEW reachable_ports AS
    SELECT p.id, upper(p.name) AS name
    FROM ports p
    JOIN tides t ON t.port_id = p.id
    WHERE last_height(p.id) > p.depth;

CREATE MATERIALIZED VIEW loads AS
    SELECT c.name, sum(q.weight) AS weight
    FROM crew.couriers c
    LEFT JOIN parcels q ON q.courier_id = c.id
    GROUP BY c.name;

CREATE FUNCTION note_flood() RETURNS trigger AS $$
BEGIN
    INSERT INTO floods (port_id, height) VALUES (1, 2);
    RETURN NULL;
END;
$$ LANGUAGE plpgsql;

CREATE TRIGGER floods_after_tides AFTER INSERT ON tides FOR EACH ROW EXECUTE FUNCTION note_flood();

ALTER TABLE parcels ADD CONSTRAINT heavy FOREIGN KEY (weight) REFERENCES weights (id);

INSERT INTO ports (name, depth) VALUES ('oban', 6.5), ('mallaig', 4.2);
