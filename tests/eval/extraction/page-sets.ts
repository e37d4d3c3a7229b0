import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Pieces } from './metrics'

/** A page as bytes, read when it is asked for. */
interface SetPage {
  name: string
  read(): Uint8Array
}

export interface PiecesPage extends SetPage {
  url: string
  pieces: Pieces
  facts: PublicationFacts
}

/** What a page says of itself, as people noted it; absent where nobody looked, '' where the page does not say. */
export interface PublicationFacts {
  title?: string
  author?: string
  /** A day of ISO 8601. */
  date?: string
}

export interface ExpectedPage extends SetPage {
  /** HTML of the content alone. */
  expected(): string
  facts: { title?: string; excerpt?: string | null; lang?: string | null; publishedTime?: string | null }
}

/** Pages with pieces of text; null when the set is not there. */
export function readPiecesSet(folder: string): PiecesPage[] | null {
  const list = join(folder, 'evaldata.json')
  if (!existsSync(list)) return null
  const pages = JSON.parse(readFileSync(list, 'utf8')) as Record<
    string,
    Pieces & Omit<PublicationFacts, 'author'> & { author?: string | string[]; file: string }
  >
  return Object.entries(pages).map(([url, { file, title, author, date, ...pieces }]) => ({
    name: file,
    url,
    pieces,
    facts: { title, author: [author ?? ''].flat().join(', '), date },
    read: () => unzipped(join(folder, 'html', `${file}.gz`)),
  }))
}

/** Pages with what a reading mode makes of them; null when the set is not there. */
export function readExpectedSet(folder: string): ExpectedPage[] | null {
  if (!existsSync(folder)) return null
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'source.html.gz')))
  return names.map((name) => ({
    name,
    read: () => unzipped(join(folder, name, 'source.html.gz')),
    expected: () => unzipped(join(folder, name, 'expected.html.gz')).toString('utf8'),
    facts: JSON.parse(readFileSync(join(folder, name, 'expected-metadata.json'), 'utf8')) as ExpectedPage['facts'],
  }))
}

function unzipped(file: string): Buffer {
  return gunzipSync(readFileSync(file))
}
