import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import { collections, sources } from '../../../db/schema/collections'
import type { Actor } from '../../actor'
import type { ManualPages } from '../../engine/ports/manual-pages'
import type { Agents } from '../agents/agents'
import type { Collections } from '../collections/collections'
import type { Sources } from '../sources/sources'

export interface ManualDeps {
  db: Database
  pages: ManualPages
  publicUrl: string
  collections: Collections
  sources: Sources
  agents: Agents
}

export function createManual({
  db,
  pages,
  publicUrl,
  collections: collectionService,
  sources: sourceService,
  agents: agentService,
}: ManualDeps) {
  const sitemapUrl = `${publicUrl}/help/sitemap.xml`

  /** Returns the organization's collection of the manual and an agent linked to it; creates what is missing. */
  async function ensureDemo(actor: Actor, organizationId: string): Promise<{ collectionId: string; agentId: string }> {
    const collectionId =
      (await findDemoCollection(organizationId)) ?? (await createDemoCollection(actor, organizationId))
    const [linked] = await db.read
      .select({ id: agents.id })
      .from(agents)
      .where(and(eq(agents.organizationId, organizationId), eq(agents.collectionId, collectionId)))
      .limit(1)
    if (linked) return { collectionId, agentId: linked.id }
    const agent = await agentService.create(actor, organizationId, {
      name: 'Manual',
      description: 'An agent to try things with.',
      useDefaults: true,
      // Members add agents but may not link them later.
      collectionId,
    })
    return { collectionId, agentId: agent.id }
  }

  async function createDemoCollection(actor: Actor, organizationId: string): Promise<string> {
    const collection = await collectionService.create(actor, organizationId, {
      name: 'Sitelore manual',
      description: "This product's own manual.",
    })
    await sourceService.create(
      actor,
      { organizationId, collectionId: collection.id },
      { name: 'Manual', type: 'sitemap', url: sitemapUrl },
    )
    return collection.id
  }

  async function findDemoCollection(organizationId: string): Promise<string | null> {
    const [found] = await db.read
      .select({ id: collections.id })
      .from(sources)
      .innerJoin(collections, eq(collections.id, sources.collectionId))
      .where(
        and(
          eq(sources.organizationId, organizationId),
          eq(sources.url, sitemapUrl),
          isNull(sources.deletedAt),
          isNull(collections.deletedAt),
        ),
      )
      .limit(1)
    return found?.id ?? null
  }

  return { ...pages, ensureDemo, address: sitemapUrl }
}
