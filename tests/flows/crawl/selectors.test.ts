import { beforeEach, describe, expect, it } from 'vitest'
import type { PagePreviewInput } from '../../../contract/sources/page-preview'
import { system } from '../../../server/actor'
import { addressRef } from '../../support/refs'
import { crawledSite } from '../../support/sites/crawled-site'

const lamp = `<!doctype html><html lang="en"><head><title>Storm lamp</title></head><body><main><h1>Storm lamp</h1>
<p>The storm lamp burns for forty hours in any wind you can stand in, and rain does not put it out.</p>
<div class="extra"><p>Buy two wicks today and get a third one for nothing, as long as there are some left.</p></div></main>
</body></html>`

const { collection, site, open } = crawledSite()
beforeEach(async () => {
  await open({ '/lamp': lamp })
})

const textsOf = (reading: { fragments: { text: string }[] }) => reading.fragments.map(({ text }) => text).join('\n')

describe('selectors of a source', () => {
  it('select what is indexed; changing them fetches unchanged pages again', async () => {
    const url = `${site.origin}/lamp`
    const id = await collection.add({ type: 'url', url })
    expect(await texts()).toMatch(/forty hours[\s\S]*third one/)
    await collection.test.app.services.sources.edit(
      system,
      { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id },
      { exclude_selectors: ['.extra'] },
    )
    await collection.refresh(id)
    expect(await texts()).toContain('forty hours')
    expect(await texts()).not.toContain('third one')
  })

  it('are previewed on a page, which is fetched once and not stored', async () => {
    const input = { page: `${site.origin}/lamp`, exclude_selectors: ['.extra'] }
    const { before, after, title, reason } = await preview(input)
    expect(textsOf(before)).toMatch(/forty hours[\s\S]*third one/)
    expect(textsOf(after)).toContain('forty hours')
    expect(textsOf(after)).not.toContain('third one')
    expect(after.words).toBeLessThan(before.words)
    expect({ title, reason }).toEqual({ title: 'Storm lamp', reason: null })
    expect(site.visited().filter((path) => path === '/lamp')).toHaveLength(1)
    expect(await texts()).toBe('')
  })

  it('are previewed on a page without the boilerplate of its site', async () => {
    const names = ['', 'anise', 'basil', 'chervil', 'dill']
    const links = names.map((name) => `<a href="/${name}">${name}</a>`).join(' ')
    const html = (name: string) => `<html lang="en"><title>${name}</title><nav>${links}</nav><main><h1>${name}</h1>
<p>What grows here is called ${name || 'a herb'}, and nothing else is called so.</p><p class="extra">More of ${name}.</p>
<p>Every order over fifty euros is shipped free of charge within the Union.</p></main></html>`
    for (const name of [...names, 'fennel']) site.set(`/${name}`, html(name))
    const id = await collection.add({ type: 'domain', url: site.origin })
    const tried = { exclude_selectors: ['.extra'], source_id: id }
    for (const name of ['dill', 'fennel']) {
      const { before, after } = await preview({ page: `${site.origin}/${name}`, ...tried })
      expect(textsOf(before)).toMatch(new RegExp(`called ${name}[\\s\\S]*More of ${name}`))
      expect(textsOf(after)).toContain(`called ${name}`)
      expect(textsOf(before) + textsOf(after)).not.toContain('fifty euros')
    }
    const home = await preview({ page: `${site.origin}/`, ...tried })
    expect(textsOf(home.after).match(/fifty euros/g)).toHaveLength(1)
    const { before } = await preview({ page: `${site.origin}/dill` })
    expect(textsOf(before)).toContain('fifty euros')
  })

  it('report that they change nothing', async () => {
    const { reason, message } = await preview({ page: `${site.origin}/lamp`, include_selectors: ['.nothing'] })
    expect({ reason, message }).toEqual({ reason: null, message: 'The selectors do not change anything on this page.' })
  })

  it('report why a page cannot be previewed', async () => {
    const { reason, message, before } = await preview({ page: `${site.origin}/nothing` })
    expect(reason).toBe('not-found')
    expect(message).toMatch(/does not exist/)
    expect(before.fragments).toEqual([])
  })

  it('are rejected with their field if they are invalid', async () => {
    await expect(preview({ page: `${site.origin}/lamp`, include_selectors: ['div['] })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { fields: { include_selectors: [expect.stringContaining('div[')] } },
    })
  })
})

/** Of all addresses that are in, in their order. */
async function texts(): Promise<string> {
  const found = []
  for (const { id } of Object.values(await collection.addresses())) {
    const { fragments } = await collection.test.app.services.addresses.get(system, addressRef(collection, id), {
      page: 1,
      limit: 100,
    })
    found.push(...fragments.docs.map(({ content }) => content))
  }
  return found.join('\n')
}

function preview(input: PagePreviewInput) {
  const { signal } = new AbortController()
  return collection.test.app.services.pagePreviews.preview(
    system,
    collection.orgId,
    collection.collectionId,
    input,
    signal,
  )
}
