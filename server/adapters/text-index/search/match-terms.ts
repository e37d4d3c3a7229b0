import { inflectionsOf } from '../../../engine/search/expansion/inflections'
import type { KeywordTerm } from '../../../engine/search/expansion/keyword-terms'
import { type CollectionSegments, countLive, type LiveSegment } from '../collection-segments'
import type { FragmentList } from '../segments/segment'
import type { SegmentTerm } from '../segments/term-cursor'
import { prefixMark, prefixTerm, stemOf } from '../terms'
import { joinLists, selectPhrases, subtractList } from './fragment-lists'
import type { ResolvedTerm, TermResolver } from './resolved-terms'

/** What a term of a query matches: the fragments of one indexed term, or lists of fragments by segment. */
export interface Match {
  weight: number
  /** Number of fragments. */
  count: number
  source: { term: ResolvedTerm; wordsOnly: boolean } | { lists: (FragmentList | null)[] }
}

/** A term of a query with what it matches. */
export interface MatchedTerm {
  term: KeywordTerm
  matches: Match[]
  count: number
}

/** For the stem of an inflected word, which also matches by its prefix: inflected forms are misleadingly rare. */
const stemWeight = 0.3
/** For the same stem in a fragment that is indexed without that prefix, as English ones are. */
const soleStemWeight = 0.7
/** For words that start with the term. */
const partialWeight = 0.5
/** For inflections of a word that is too short to have a prefix. */
const inflectionWeight = 0.5

/** Finds what the terms of a query match. */
export function createTermMatcher(
  { segments }: CollectionSegments,
  resolver: TermResolver,
  { isEnglish }: { isEnglish: boolean },
): (term: KeywordTerm) => MatchedTerm {
  return (term) => {
    const matches = matchesOf(term)
    const found = matches.filter(({ count }) => count > 0)
    // English texts are indexed without prefixes: there the matches that remain take over the weight.
    const factor = maxWeight(matches) / Math.max(maxWeight(found), Number.MIN_VALUE)
    return {
      term,
      matches: found.map((match) => ({ ...match, weight: match.weight * factor })),
      count: found.reduce((sum, { count }) => sum + count, 0),
    }
  }

  function matchesOf(term: KeywordTerm): Match[] {
    switch (term.kind) {
      case 'word':
        return isEnglish ? [word(term.word, 1), any(stemOf(term.word), 1)] : inflected(term.word)
      case 'bigram':
        return [...term.characters].length === 1 ? [startingWith(term.characters, 1)] : [any(term.characters, 1)]
      case 'identifier':
        return term.words.length > 1
          ? [phrase(term.words), word(term.words.join(''), 1)]
          : term.words.map((text) => word(text, 1))
      case 'prefix':
        return [startingWith(term.word, partialWeight, true)]
    }
  }

  function inflected(text: string): Match[] {
    const byPrefix = prefixTerm(text)
    if (byPrefix === null)
      return [word(text, 1), ...inflectionsOf(text).map((inflection) => word(inflection, inflectionWeight))]
    const prefix = any(byPrefix, 1)
    const stem = any(stemOf(text), stemWeight)
    return [prefix, stem, without(stem, prefix)]
  }

  function word(text: string, weight: number): Match {
    const term = resolver.resolve(text)
    return { weight, count: term.wordFragments, source: { term, wordsOnly: true } }
  }

  function any(text: string, weight: number): Match {
    const term = resolver.resolve(text)
    return { weight, count: term.fragments, source: { term, wordsOnly: false } }
  }

  function startingWith(start: string, weight: number, wordsOnly = false): Match {
    const terms = resolver
      .startingWith(start)
      .filter(({ term }) => !term.endsWith(prefixMark))
      .map(({ term }) => resolver.resolve(term))
    return ofLists(weight, (live, n) =>
      joinLists(
        terms.flatMap(({ entries }) => {
          const entry = entries[n]
          return entry ? live.segment.list(entry, wordsOnly) : []
        }),
      ),
    )
  }

  function without(match: Match, excluded: Match): Match {
    if (match.count === 0 || excluded.count === 0) return { ...match, weight: soleStemWeight }
    return ofLists(soleStemWeight, (live, n) => {
      const list = listOf(match, live, n)
      return list && subtractList(list, listOf(excluded, live, n))
    })
  }

  function phrase(texts: string[]): Match {
    const terms = texts.map((text) => resolver.resolve(text))
    if (terms.some(({ wordFragments }) => wordFragments === 0)) return ofLists(1, () => null)
    return ofLists(1, (live, n) => {
      const entries = terms.flatMap((term): SegmentTerm[] => {
        const entry = term.entries[n]
        return entry && entry.wordFragments > 0 ? [entry] : []
      })
      return entries.length < terms.length ? null : selectPhrases(live.segment, entries)
    })
  }

  function ofLists(weight: number, listOfSegment: (live: LiveSegment, n: number) => FragmentList | null): Match {
    const lists = segments.map(listOfSegment)
    const counts = segments.map((live, n) => countLive(live, lists[n]?.fragments ?? new Uint16Array()))
    return { weight, count: counts.reduce((sum, count) => sum + count, 0), source: { lists } }
  }
}

/** The fragments of a match in the nth segment. */
export function listOf({ source }: Match, { segment }: LiveSegment, n: number): FragmentList | null {
  if ('lists' in source) return source.lists[n] ?? null
  const entry = source.term.entries[n]
  return entry ? segment.list(entry, source.wordsOnly) : null
}

function maxWeight(matches: Match[]): number {
  return Math.max(0, ...matches.map(({ weight }) => weight))
}
