/**
 * The tables of the keyword index, as `db/migrations/sqlite/0000_initial.sql` creates them. Every term begins with the
 * number of its collection, so that a search reads nothing of other collections, and term frequencies are those of the
 * collection. The texts themselves are stored in `fragments` alone.
 */
export const textIndexTables = [
  'create table text_index_partitions (number integer primary key, collection_id text not null unique)',
  `create virtual table fragment_words using fts5(
    place, title, headings, text, title_stems, heading_stems, text_stems,
    content='', contentless_delete=1, tokenize="ascii tokenchars ':~'")`,
  'create virtual table fragment_vocabulary using fts5vocab(fragment_words, row)',
]
