import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import { readManual } from '../../server/adapters/fetch/manual-pages'
import { readPage } from '../../server/engine/ingest/read-page'
import type { Fragment } from '../../server/engine/ports/extractor'

const manuals = ['python3.11-doc', 'openjdk-17-doc', 'debian-handbook', 'debian-reference-common', 'debian-policy']

export const modelFolder = resolve(import.meta.dirname, '../../models/all-MiniLM-L6-v2')
export const noManuals = `Skipped: none of ${manuals.join(', ')} is installed.`

/** Pages of all installed Debian manuals, shuffled in the same order each time. */
export function manualPages(): string[] {
  const found = manuals.flatMap((manual) => {
    const root = join('/usr/share/doc', manual)
    if (!existsSync(root)) return []
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.html?$/.test(name))
    // Some packages link to their folders by names of pages, or to files that they do not have.
    const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true
    return names
      .map((name) => join(root, name))
      .filter(isFile)
      .sort()
  })
  let seed = 1
  for (let n = found.length - 1; n > 0; n--) {
    seed = (seed * 16_807) % 2_147_483_647
    const otherNumber = seed % (n + 1)
    ;[found[n], found[otherNumber]] = [found[otherNumber] ?? '', found[n] ?? '']
  }
  return found
}

/** Fragments of the product's own manual, where no other is installed. */
export function ownFragments(): Fragment[] {
  const folder = resolve(import.meta.dirname, '../../docs/manual')
  const tokenizer = createTokenizer(modelFolder)
  const manual = readManual(folder, 'http://localhost:3000')
  return manual.list().flatMap(({ name }) => {
    const body = Buffer.from(`<main>${manual.page(name)?.html}</main>`)
    const page = { url: `http://localhost:3000/help/${name}`, body, contentType: 'text/html', linkSite: null }
    return readPage(page, tokenizer).fragments
  })
}

/** Up to `limit` distinct fragments of these pages. */
export function* manualFragments(limit: number): Generator<Fragment> {
  const tokenizer = createTokenizer(modelFolder)
  const seen = new Set<string>()
  for (const page of manualPages()) {
    const url = `http://manual.example${page}`
    const read = readPage({ url, body: readFileSync(page), contentType: 'text/html', linkSite: null }, tokenizer)
    for (const fragment of read.fragments) {
      if (seen.has(fragment.hash)) continue
      if (seen.size >= limit) return
      seen.add(fragment.hash)
      yield fragment
    }
  }
}
