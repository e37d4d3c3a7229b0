import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { and, asc, desc, eq, gt, inArray, isNull, lt } from 'drizzle-orm'
import type { Queries } from '../../../db/database'
import { addresses, fragments } from '../../../db/schema/addresses'
import { agents } from '../../../db/schema/agents'
import { sources } from '../../../db/schema/collections'
import { messages, threads } from '../../../db/schema/threads'
import { headingsOf, type OutlinedPage } from '../../engine/suggestions/propose-questions'

/** The pages that were discovered first, which are those nearest to the start. */
const maxPages = 1_000
const pagesPerQuery = 50
/** The beginning of a long page says what it is about. */
const maxFragmentsPerPage = 40
const maxAgents = 20
const maxThreads = 50
const maxAnswers = 200
const maxPopularTitles = 10

/** Reads the titles and headings of a collection's first pages, in batches that leave the event loop to others. */
export async function collectionOutline(queries: Queries, collectionId: string): Promise<OutlinedPage[]> {
  const pages = await queries
    .select({ id: addresses.id, language: addresses.language })
    .from(addresses)
    .innerJoin(sources, eq(sources.id, addresses.sourceId))
    .where(and(eq(addresses.collectionId, collectionId), gt(addresses.fragments, 0), isNull(sources.deletedAt)))
    .orderBy(asc(addresses.createdAt))
    .limit(maxPages)
  const outline: OutlinedPage[] = []
  for (let start = 0; start < pages.length; start += pagesPerQuery) {
    await yieldToEventLoop()
    const batch = pages.slice(start, start + pagesPerQuery)
    const ids = batch.map(({ id }) => id)
    const rows = await queries
      .select({
        addressId: fragments.addressId,
        title: fragments.title,
        headings: fragments.headings,
        innerHeadings: fragments.innerHeadings,
        language: fragments.language,
      })
      .from(fragments)
      .where(and(inArray(fragments.addressId, ids), lt(fragments.ordinal, maxFragmentsPerPage)))
      .orderBy(asc(fragments.addressId), asc(fragments.ordinal))
    for (const { id, language } of batch) {
      const own = rows.filter(({ addressId }) => addressId === id)
      const [first] = own
      if (!first) continue
      const headings = headingsOf(own.flatMap((row) => [row.headings, row.innerHeadings]))
      outline.push({ title: first.title, language: first.language || (language ?? ''), headings })
    }
  }
  return outline
}

/** The titles that recent answers from a collection cite, most cited first. */
export async function popularTitles(queries: Queries, collectionId: string): Promise<string[]> {
  const linked = await queries
    .select({ id: agents.id })
    .from(agents)
    .where(eq(agents.collectionId, collectionId))
    .limit(maxAgents)
  if (linked.length === 0) return []
  const recent = await queries
    .select({ id: threads.id })
    .from(threads)
    .where(
      inArray(
        threads.agentId,
        linked.map(({ id }) => id),
      ),
    )
    .orderBy(desc(threads.createdAt))
    .limit(maxThreads)
  if (recent.length === 0) return []
  const answers = await queries
    .select({ fragments: messages.fragments, cited: messages.cited })
    .from(messages)
    .where(
      and(
        inArray(
          messages.threadId,
          recent.map(({ id }) => id),
        ),
        eq(messages.role, 'agent'),
      ),
    )
    .limit(maxAnswers)
  const counts = new Map<string, number>()
  for (const answer of answers) {
    const titles = answer.cited.flatMap((number) => answer.fragments[number - 1]?.title ?? [])
    for (const title of new Set(titles)) counts.set(title, (counts.get(title) ?? 0) + 1)
  }
  const ranked = [...counts].filter(([, count]) => count > 1).sort(([, first], [, second]) => second - first)
  return ranked.slice(0, maxPopularTitles).map(([title]) => title)
}
