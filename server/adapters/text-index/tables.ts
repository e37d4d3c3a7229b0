/**
 * What `db/migrations/sqlite/0010_words.sql` makes. Every term begins with the number of its collection: what is read for
 * a search, and how rare a word is, depends on nobody else's texts. The texts are only in the table of fragments.
 */
export const textIndexTables = [
  'create table word_collections (number integer primary key, collection_id text not null unique)',
  `create virtual table fragment_words using fts5(
    place, title, headings, text, title_stems, heading_stems, text_stems,
    content='', contentless_delete=1, tokenize="ascii tokenchars ':~'")`,
  'create virtual table fragment_vocabulary using fts5vocab(fragment_words, row)',
]
