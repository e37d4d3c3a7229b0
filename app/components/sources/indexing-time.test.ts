import { expect, it } from 'vitest'
import { fileIndexingNote, previewIndexingNote } from './indexing-time'

it.each<[name: string, size: number, rate: number, note: string | null]>([
  ['notes.txt', 1_000_000, 100, null],
  ['manual.txt', 60_000_000, 100, 'Indexing takes about 10 min after the upload. Keyword search works meanwhile.'],
  ['manual.txt', 60_000_000, 1_000, 'Indexing takes about 60 s after the upload. Keyword search works meanwhile.'],
  ['Manual.PDF', 60_000_000, 20, 'Indexing takes about 8 min after the upload. Keyword search works meanwhile.'],
  ['picture.png', 60_000_000, 1, null],
])('%s of %i bytes at %i fragments a second', (name, size, rate, note) => {
  expect(fileIndexingNote({ name, size }, rate)).toBe(note)
})

it('compares indexing with crawling', () => {
  expect(previewIndexingNote({ fragments: 12_000, seconds: 60 }, 100)).toBe(
    'Indexing takes longer than crawling: about 2 min for semantic search. Keyword search finds each page as soon as it is read.',
  )
  expect(previewIndexingNote({ fragments: 1_000, seconds: 60 }, 100)).toMatch(/^Indexing follows: about 10 s/)
})
