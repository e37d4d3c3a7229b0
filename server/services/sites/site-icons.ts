import { and, asc, eq, isNotNull } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import { collections, siteIcons } from '../../../db/schema/collections'
import { threads } from '../../../db/schema/threads'
import type { Picture } from '../pictures/picture'

/**
 * The icons of the sites that collections are crawled from, with their media types, at most 64 KB each. `host` is as in
 * addresses, with the port unless it is the default. Each method returns null where there is no icon, and for unknown ids.
 */
export function createSiteIcons({ db }: { db: Database }) {
  const columns = { mediaType: siteIcons.mediaType, content: siteIcons.content }

  /** That of a host; without a host, that of the site that the collection was crawled from first. */
  async function ofCollection(collectionId: string, host?: string): Promise<Picture | null> {
    const ofHost = host === undefined ? isNotNull(siteIcons.content) : eq(siteIcons.host, host)
    const found = await db.read
      .select(columns)
      .from(siteIcons)
      .innerJoin(collections, eq(collections.id, siteIcons.collectionId))
      .where(and(eq(siteIcons.collectionId, collectionId), ofHost))
      .orderBy(asc(siteIcons.createdAt), asc(siteIcons.host))
      .limit(1)
    return pictureOf(found)
  }

  /** For anybody: it is shown beside the sources of the agent's answers. */
  async function ofAgent(agentId: string, host: string): Promise<Picture | null> {
    const found = await db.read
      .select(columns)
      .from(agents)
      .innerJoin(siteIcons, eq(siteIcons.collectionId, agents.collectionId))
      .where(and(eq(agents.id, agentId), eq(siteIcons.host, host)))
    return pictureOf(found)
  }

  /** For anybody who may read the thread. */
  async function ofSharedThread(threadId: string, host: string): Promise<Picture | null> {
    const found = await db.read
      .select(columns)
      .from(threads)
      .innerJoin(agents, eq(agents.id, threads.agentId))
      .innerJoin(siteIcons, eq(siteIcons.collectionId, agents.collectionId))
      .where(and(eq(threads.id, threadId), isNotNull(threads.publishedAt), eq(siteIcons.host, host)))
    return pictureOf(found)
  }

  return { ofCollection, ofAgent, ofSharedThread }
}

function pictureOf([row]: { mediaType: string | null; content: Uint8Array | null }[]): Picture | null {
  return row?.mediaType && row.content ? { mediaType: row.mediaType, content: new Uint8Array(row.content) } : null
}
