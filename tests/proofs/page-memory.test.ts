import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { readPage } from '../../server/engine/ingest/read-page'

const pages = 16
const paragraph = '<p>Water boils at one hundred degrees at the height of the sea, and earlier on a mountain.</p>'

it('retains nothing of the pages it read', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const tokenizer = { count: (text: string) => text.length / 4 }
  const bodyOf = (page: number) =>
    Buffer.from(
      `<main><section class="section-of-page-${page}" id="the-chapter-number-${page}">${paragraph.repeat(3_000)}</section></main>`,
    )
  const heapAfter = (first: number) => {
    for (let page = first; page < first + pages; page++) {
      const url = `https://site.example/${page}`
      readPage({ url, body: bodyOf(page), contentType: 'text/html', linkSite: null }, tokenizer)
    }
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = heapAfter(0)
  // A page takes memory in proportion to its source.
  expect(heapAfter(pages) - before).toBeLessThan((pages * bodyOf(0).length) / 4)
})
