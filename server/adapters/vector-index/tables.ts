/**
 * The tables of the vector index, as the migrations create them. The vectors of a set are stored in chunks of 256 places, of
 * which some may be empty: chunk 3 has the places 768 to 1,023. The vector of a fragment in the second set of its collection
 * has the negative key of the fragment. `vector_chunks` records the revision in which a chunk last changed.
 * `vector_projections` has the projections that were learned from the vectors of large sets.
 */
export const vectorIndexTables = [
  'create table fragment_vectors (key integer primary key, place integer not null unique, vector blob not null)',
  `create table vector_revisions (
    revision integer primary key autoincrement, set_id text not null unique, searched_at integer)`,
  `create table vector_chunks (
    chunk_id integer primary key, set_id text not null, revision integer not null, vectors integer not null default 0)`,
  'create index vector_chunks_collection on vector_chunks (set_id, revision)',
  'create index vector_chunks_room on vector_chunks (set_id, vectors) where vectors < 256',
  `create table vector_projections (
    set_id text primary key, dimensions integer not null, checksum text not null, matrix blob not null)`,
]
