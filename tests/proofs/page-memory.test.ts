import { expect, it } from 'vitest'
import { createExtractor } from '../../server/adapters/extraction/extractor'

// A thread has a heap of 192 MiB.
const pages = 300
const commentBytes = 1_000_000

it('retains nothing of the pages it read', async () => {
  const errors: Error[] = []
  const log = { error: ({ err }: { err: Error }) => void errors.push(err) }
  const extractor = createExtractor({
    modelFolder: 'no-such-folder',
    threads: 1,
    limit: { processorMs: 300_000, totalMs: 300_000 },
    log,
  })
  // A string that is cut out of the source keeps all of it in memory.
  const bodyOf = (page: number) =>
    Buffer.from(
      `<!--${'x'.repeat(commentBytes)}--><main><section class="section-of-page-${page}" id="the-chapter-number-${page}"><p>Water boils at one hundred degrees at the height of the sea.</p></section></main>`,
    )
  let read = 0
  for (let page = 0; page < pages; page++) {
    const url = `https://site.example/${page}`
    const outcome = await extractor.extract({ url, body: bodyOf(page), contentType: 'text/html', linkSite: null })
    if (typeof outcome !== 'string') read++
  }
  await extractor.close()
  expect({ read, errors }).toEqual({ read: pages, errors: [] })
})
