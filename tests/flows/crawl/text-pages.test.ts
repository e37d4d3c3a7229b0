import { expect, it } from 'vitest'
import { system } from '../../../server/actor'
import { pptxOf, shapeOf } from '../../support/files/pptx'
import { crawledSite } from '../../support/sites/crawled-site'

const { collection, site, open } = crawledSite()

const served = (type: string, body: string | Uint8Array) => ({ headers: { 'content-type': type }, body })

it('reads pages of plain text and Markdown, and presentations', async () => {
  await open({
    '/': '<title>Lamps</title><main><h1>Lamps</h1><p>All about lamps, in words of its own.</p><a href="/notes">N</a> <a href="/oil">O</a> <a href="/talk.pptx">T</a> <a href="/lamp.png">P</a></main>',
    '/notes': served('text/plain; charset=utf-8', 'Grüße\n=====\n\nThe wick is trimmed every evening.\n'),
    '/oil': served('text/markdown', '# Oil\n\n## Filling\n\nOpen the tank **slowly**.\n'),
    '/talk.pptx': served(
      'application/octet-stream',
      pptxOf([{ shapes: shapeOf('Lamps at sea') + shapeOf('They sway in every wind.', { y: 9 }) }]),
    ),
    '/lamp.png': served('image/png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 1])),
  })
  await collection.add({ type: 'domain', url: site.origin })
  const addresses = await collection.addresses()
  const read = { status: 'idle', reason: null, fragments: 1 }
  expect(addresses).toMatchObject({ '/': read, '/notes': read, '/oil': read, '/talk.pptx': read })
  const found = async (query: string) => {
    const asked = { collectionId: collection.collectionId, query, limit: 1 }
    const { fragments } = await collection.test.app.services.search.collection(system, collection.orgId, asked)
    return fragments[0]
  }
  expect(await found('open the tank slowly')).toMatchObject({ title: 'Oil', headings: ['Filling'] })
  expect(await found('trimmed every evening')).toMatchObject({ url: `${site.origin}/notes` })
  expect((await found('sway in every wind'))?.url).toMatch(/talk\.pptx/)
})
