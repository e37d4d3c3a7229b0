import type { SearchThreads } from '../threads/search-threads'

/** Fragments that are counted one by one; more are estimated. */
const mostCounted = 500
/** Parts of a collection in which a common word is counted, and how far. */
const sampledParts = 8
const mostSampled = 64
const partNumbers = JSON.stringify(Array.from({ length: sampledParts }, (_, n) => n))
const mostRemembered = 20_000
const rememberedMs = 300_000

interface Remembered {
  count: number
  until: number
}

/** How many fragments hold what, as far as it matters for how much it says. */
export function createWordCounts(search: SearchThreads) {
  /** Of common words, which are asked for again and again and whose number hardly changes. */
  const common = new Map<string, Remembered>()
  const all: Remembered = { count: 0, until: 0 }

  /** How many fragments each match has: exactly up to `mostCounted`, else about. `place` matches the collection. */
  async function count(matches: string[], place: string): Promise<number[]> {
    const now = Date.now()
    const known = new Map(matches.map((match) => [match, remembered(match, now)]))
    const asked = matches.filter((match) => known.get(match) === undefined)
    const found = asked.length === 0 ? [] : await countFew(asked)
    for (const [n, match] of asked.entries()) known.set(match, found[n] ?? 0)
    const many = asked.filter((match) => (known.get(match) ?? 0) > mostCounted)
    if (many.length > 0) {
      for (const [match, estimated] of await estimate(many, place)) {
        const value = Math.max(mostCounted, estimated)
        known.set(match, value)
        if (common.size >= mostRemembered) common.clear()
        common.set(match, { count: value, until: now + rememberedMs })
      }
    }
    return matches.map((match) => known.get(match) ?? 0)
  }

  function remembered(match: string, now: number): number | undefined {
    const one = common.get(match)
    return one && one.until > now ? one.count : undefined
  }

  async function countFew(matches: string[]): Promise<number[]> {
    const found = await search.all<{ many: number }>(
      `select (select count(*) from (select 1 from fragment_words where fragment_words match j.value limit ${mostCounted + 1}))
         as many from json_each(?) j order by j.key`,
      [JSON.stringify(matches)],
    )
    return found.map(({ many }) => many)
  }

  /** From how close to one another they stand in parts of the collection: a site says a word here more than there. */
  async function estimate(matches: string[], place: string): Promise<Map<string, number>> {
    const found = await search.all<{ match: string; many: number }>(
      `with ends as (select
         (select fragment_words.rowid from fragment_words where fragment_words match ? limit 1) as first,
         (select fragment_words.rowid from fragment_words where fragment_words match ? order by fragment_words.rowid desc limit 1) as last),
       parts as (select first + (last - first) * j.value / ${sampledParts} as start,
         first + (last - first) * (j.value + 1) / ${sampledParts} as end from ends, json_each('${partNumbers}') j)
       select j.value as "match", sum((select case when count(*) < ${mostSampled} then count(*)
           else count(*) * 1.0 * (parts.end - parts.start) / (max(key) - parts.start + 1) end
         from (select fragment_words.rowid as key from fragment_words
           where fragment_words match j.value and fragment_words.rowid >= parts.start and fragment_words.rowid < parts.end
           limit ${mostSampled}))) as many
       from json_each(?) j, parts group by j.key`,
      [place, place, JSON.stringify(matches)],
    )
    return new Map(found.map(({ match, many }) => [match, Math.round(many)]))
  }

  /** Fragments of all collections, as of some minutes ago. */
  async function allFragments(): Promise<number> {
    const isFirst = all.until === 0
    if (all.until > Date.now()) return all.count
    all.until = Date.now() + rememberedMs
    const counting = search.all<{ count: number }>('select count(*) as count from fragment_words_docsize', [])
    const counted = counting.then(
      ([row]) => {
        all.count = row?.count ?? 0
      },
      () => {
        all.until = 0
      },
    )
    // All rows are walked through: only the first search waits for it.
    if (isFirst) await counted
    return all.count
  }

  return { count, allFragments }
}
