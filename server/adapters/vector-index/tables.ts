/**
 * What `db/migrations/sqlite/0001_indexes.sql` and `0009_vector_revisions.sql` make, for vectors of any length. Space is
 * taken by the chunk: 256 vectors are .4 MB for a small collection, where the default takes 1.6 MB and is a sixth
 * faster in a large one. `vector_chunks` says when a chunk was last changed.
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
