import type { FusedHit } from './fusion'
import { createDuplicates } from './near-duplicates'
import type { ReadQuery } from './parse-query'
import type { Likeness, ReadPassage } from './relevance'
import { type RankedHit, rerank } from './rerank'

/** What ranking must know of a fragment; what else the caller loads comes back with the hit. */
export interface RetrievableFragment extends ReadPassage {
  key: number
  addressId: string
  url: string
  /** BCP 47, or '' where nothing says. */
  language: string
}

export interface RetrievedHit<Fragment> extends RankedHit, Likeness {
  fragment: Fragment
}

export interface ChosenHit<Fragment> extends RetrievedHit<Fragment> {
  /** Taken although its address has enough, because places were left. */
  fillsPlace: boolean
}

export type DropReason = 'below-threshold' | 'duplicate' | 'same-address' | 'over-limit'

export interface DroppedHit<Fragment> extends RetrievedHit<Fragment> {
  reason: DropReason
  /** What is shown in its place, of a duplicate. */
  duplicateOf: Fragment | null
}

export interface ChoiceRules {
  /** Most hits. */
  limit: number
  /** Least similarity, 0 to 1. */
  threshold: number
  /** Most hits of one address, as long as others fill the places. */
  perAddress: number
  /** The visitor's, preferred among equals: its first part as in BCP 47; null for none. */
  language: string | null
  /** Most dropped hits that are told; 0 looks no further than there are enough hits. */
  mostDropped: number
}

interface Choice<Fragment> {
  hits: ChosenHit<Fragment>[]
  dropped: DroppedHit<Fragment>[]
  /** Some of what was to be loaded for the hits was missing. */
  isShort: boolean
}

interface ChoiceDeps<Fragment> {
  /** In any order; one that may not be found is missing. */
  loadFragments(keys: number[]): Promise<Fragment[]>
  likeness(cosine: number | null, passage: ReadPassage): Likeness
  query: Pick<ReadQuery, 'words' | 'english'>
}

/** Ranks that differ by less are equal, for who prefers a language. */
const equalRanks = 0.01
/** Hits that are ordered anew by their texts: with more of them no set of docs/figures.md gained. */
const fewestAtOnce = 40

/**
 * Takes hits in their order until there are enough: those that reach the threshold, that say something new, and not too
 * many of one address. Where that leaves places, as in a collection of one long document, further ones of the same
 * addresses come behind. Texts are loaded in parts, for most are not needed.
 */
export async function chooseHits<Fragment extends RetrievableFragment>(
  { loadFragments, likeness, query }: ChoiceDeps<Fragment>,
  fused: FusedHit[],
  rules: ChoiceRules,
): Promise<Choice<Fragment>> {
  const { limit, threshold, perAddress, language, mostDropped } = rules
  const hits: ChosenHit<Fragment>[] = []
  const waiting: RetrievedHit<Fragment>[] = []
  const dropped: DroppedHit<Fragment>[] = []
  let isShort = false
  const taken = new Map<string, number>()
  const duplicates = createDuplicates<Fragment>(query.words)
  const step = Math.max(fewestAtOnce, 2 * limit)
  const isEnough = () => hits.length >= limit && dropped.length >= mostDropped

  for (let start = 0; start < fused.length && !isEnough(); start += step) {
    const some = rerank(await load(fused.slice(start, start + step)), query)
    for (const hit of preferring(language, some)) {
      if (isEnough()) break
      const drop = dropOf(hit)
      if (drop === null) hits.push({ ...hit, fillsPlace: false })
      else if (mostDropped > 0) dropped.push({ ...hit, ...drop })
      if (drop?.reason === 'same-address') waiting.push(hit)
    }
  }
  for (const hit of waiting) if (hits.length < limit) fill(hit)
  return { hits, dropped: dropped.slice(0, mostDropped), isShort }

  async function load(some: FusedHit[]) {
    const fragments = await loadFragments(some.map(({ key }) => key))
    const loaded = new Map(fragments.map((fragment) => [fragment.key, fragment]))
    // What is looked at to be told alone decides nothing: the hits are the same without it.
    if (hits.length < limit) isShort ||= loaded.size < some.length
    return some.flatMap((hit) => {
      const fragment = loaded.get(hit.key)
      return fragment ? { ...hit, fragment, ...likeness(hit.cosine, fragment) } : []
    })
  }

  function dropOf({ fragment, similarity }: RetrievedHit<Fragment>) {
    const because = (reason: DropReason, duplicateOf: Fragment | null = null) => ({ reason, duplicateOf })
    if (similarity < threshold) return because('below-threshold')
    if (hits.length >= limit) return because('over-limit')
    const sofar = taken.get(fragment.addressId) ?? 0
    if (sofar >= perAddress) return because('same-address')
    const same = duplicates.take(fragment)
    if (same) return because('duplicate', same)
    taken.set(fragment.addressId, sofar + 1)
    return null
  }

  /** Takes what its address had too many of, unless it says the same as another one. */
  function fill(hit: RetrievedHit<Fragment>): void {
    const at = dropped.findIndex(({ key }) => key === hit.key)
    const same = duplicates.take(hit.fragment)
    if (!same) hits.push({ ...hit, fillsPlace: true })
    if (at === -1) return
    if (same) dropped[at] = { ...hit, reason: 'duplicate', duplicateOf: same }
    else dropped.splice(at, 1)
  }
}

/**
 * The hits in their order, but among those that are equal to the first of them the ones in the visitor's language come
 * first; and of quite equal ones that with the shorter address, which is the proper one more often than not.
 */
function preferring<Fragment extends RetrievableFragment>(
  language: string | null,
  hits: RetrievedHit<Fragment>[],
): RetrievedHit<Fragment>[] {
  const groups: RetrievedHit<Fragment>[][] = []
  for (const hit of hits) {
    const group = groups.at(-1)
    if (group?.[0] && group[0].rank - hit.rank < equalRanks) group.push(hit)
    else groups.push([hit])
  }
  const isOther = ({ fragment }: RetrievedHit<Fragment>) => Number(primaryOf(fragment.language) !== language)
  return groups.flatMap((group) =>
    group.sort(
      (a, b) =>
        (language === null ? 0 : isOther(a) - isOther(b)) ||
        b.rank - a.rank ||
        a.fragment.url.length - b.fragment.url.length ||
        a.key - b.key,
    ),
  )
}

function primaryOf(language: string): string {
  return language.split('-', 1)[0] ?? ''
}
