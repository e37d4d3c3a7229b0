-- Written by hand: the projections by which large collections of vectors are searched.
CREATE TABLE vector_projections (
    collection_id text PRIMARY KEY, dimensions integer NOT NULL, checksum text NOT NULL, matrix blob NOT NULL);
