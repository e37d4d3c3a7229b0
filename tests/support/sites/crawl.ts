import type { SourceInput } from '../../../contract/sources/source'
import type { AddressView } from '../../../contract/views/address'
import type { SourceView } from '../../../contract/views/source'
import { system } from '../../../server/actor'
import { createTestApp, type TestApp } from '../app'

export interface CrawledCollection {
  test: TestApp
  orgId: string
  collectionId: string
  /** Adds a source and, unless told otherwise, waits until its run is over. */
  add(input: Pick<SourceInput, 'type' | 'url'> & Partial<SourceInput>, waits?: boolean): Promise<string>
  /** Refreshes the source and waits until its run is over. */
  refresh(sourceId: string): Promise<SourceView>
  source(sourceId: string): Promise<SourceView>
  /** By path and query. */
  addresses(): Promise<Record<string, AddressView>>
}

/** An organization without limits with one collection, whose sources are crawled in this process. */
export async function createCollection(
  environment: Record<string, string> = {},
  name = 'Fennel',
  shared?: TestApp,
): Promise<CrawledCollection> {
  const test = shared ?? (await createTestApp(environment))
  const { app, runner } = test
  const { id: orgId } = await app.services.organizations.create(system, { name, entity_name: '' })
  const { id: collectionId } = await app.services.collections.create(system, orgId, { name: 'Pages', description: '' })
  const source = (id: string) => app.services.sources.get(system, { organizationId: orgId, collectionId, sourceId: id })
  return {
    test,
    orgId,
    collectionId,
    source,
    async add(input, waits = true) {
      const { id } = await app.services.sources.create(
        system,
        { organizationId: orgId, collectionId },
        { name: '', ...input },
      )
      if (waits) await runner.idle()
      return id
    },
    async refresh(id) {
      await app.services.runControl.refresh(
        system,
        { organizationId: orgId, collectionId, sourceId: id },
        { crawl: true, auto: false },
        { waitMs: 0 },
      )
      await runner.idle()
      return source(id)
    },
    async addresses() {
      const found: Record<string, AddressView> = {}
      for (let page = 1; ; page++) {
        const { docs, pages } = await app.services.addresses.list(system, orgId, collectionId, { page, limit: 100 })
        for (const address of docs) {
          const { pathname, search } = new URL(address.url)
          found[pathname + search] = address
        }
        if (page >= pages) return found
      }
    },
  }
}
