/**
 * The tables of the keyword index, as `db/migrations/sqlite/0009_text_segments.sql` creates them. The texts themselves are
 * stored in `fragments` alone.
 */
export const textIndexTables = [
  `create table text_segments (
    id integer primary key autoincrement, collection_id text, fragments integer not null, deleted integer not null default 0,
    first_key integer not null, last_key integer not null, written_at integer not null)`,
  'create index text_segments_collection on text_segments (collection_id, last_key)',
  'create table text_segment_chunks (place integer primary key, bytes blob not null)',
  `create table text_deletions (
    segment_id integer not null, fragment integer not null, number integer not null, primary key (segment_id, fragment))
    without rowid`,
  'create unique index text_deletions_number on text_deletions (segment_id, number)',
]
