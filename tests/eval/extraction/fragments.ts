import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isBoxLabel } from '../../../server/engine/html/blocks/box-labels'
import { readPage } from '../../../server/engine/ingest/read-page'
import type { Fragment } from '../../../server/engine/ports/extractor'
import type { Tokenizer } from '../../../server/engine/ports/search-index'
import { seededRandom } from '../../support/seeded-random'
import { folderOf, htmlFilesIn, manuals } from './manuals'

/** Pages of a manual that are read, evenly spread. */
const maxPages = 120
/** Fragments that are printed, to be judged by a reader. */
const sampleSize = 60

/** What makes a fragment begin or end where no reader would cut. */
const faults: Record<string, (fragment: Fragment, isLast: boolean) => boolean> = {
  'ends with an announcement': ({ text }) => /[:：]\s*$/.test(text) || isBoxLabel(text.split('\n').at(-1) ?? ''),
  'ends with a heading': ({ text, innerHeadings }) => innerHeadings.includes(text.split('\n').at(-1) ?? ''),
  'ends within brackets': ({ text }, isLast) => !isLast && openBrackets(text.split('\n').at(-1) ?? '') > 0,
  'begins indented': ({ text }) => /^\s{2,}\S/.test(text),
}

/**
 * Prints how many fragments of the manuals of Debian that were unpacked begin or end badly, then a random sample of them.
 */
export function measureFragments(packages: readonly string[], tokenizer: Tokenizer, seed: number): void {
  const all = manuals.flatMap((manual) => {
    const root = folderOf(manual, packages)
    return root ? fragmentsOf(manual, root, tokenizer) : []
  })
  console.log(`${all.length} fragments of ${new Set(all.map(({ manual }) => manual)).size} manuals`)
  for (const [name, isFaulty] of Object.entries(faults)) {
    const count = all.filter(({ fragment, isLast }) => isFaulty(fragment, isLast)).length
    console.log(
      `${name.padEnd(28)} ${String(count).padStart(6)}  ${((100 * count) / Math.max(1, all.length)).toFixed(2)} %`,
    )
  }
  console.log(`\nA sample, seed ${seed}:`)
  const random = seededRandom(seed, 'fragments')
  for (let number = 0; number < sampleSize; number++) {
    const found = all[Math.floor(random() * all.length)]
    if (!found) continue
    const { title, headings, text } = found.fragment
    console.log(`\n== ${number + 1} ${found.manual}/${found.path} | ${[title, ...headings].join(' > ')}\n${text}`)
  }
}

interface FoundFragment {
  manual: string
  path: string
  fragment: Fragment
  isLast: boolean
}

function fragmentsOf(manual: string, root: string, tokenizer: Tokenizer): FoundFragment[] {
  const files = htmlFilesIn(root)
  const step = Math.max(1, Math.floor(files.length / maxPages))
  return files
    .filter((_, index) => index % step === 0)
    .flatMap((path) => {
      const url = `http://manual.example/${manual}/${path}`
      const body = readFileSync(join(root, path))
      const { document, fragments } = readPage({ url, body, contentType: 'text/html', linkSite: null }, tokenizer)
      if (document.forward !== null || document.isLinkList) return []
      return fragments.map((fragment, index) => ({ manual, path, fragment, isLast: index === fragments.length - 1 }))
    })
}

function openBrackets(line: string): number {
  return (line.match(/[([{]/g)?.length ?? 0) - (line.match(/[)\]}]/g)?.length ?? 0)
}
