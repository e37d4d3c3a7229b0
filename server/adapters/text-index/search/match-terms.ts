import type { KeywordTerm } from '../../../engine/search/expansion/keyword-terms'
import { foundMatches, matchesOf, type TermMatch } from '../../../engine/search/expansion/term-matches'
import { prefixMark } from '../../../engine/search/terms'
import { type CollectionSegments, countLive, type LiveSegment } from '../collection-segments'
import type { FragmentList } from '../segments/segment'
import type { SegmentTerm } from '../segments/term-cursor'
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

/** Finds what the terms of a query match. */
export function createTermMatcher(
  { segments }: CollectionSegments,
  resolver: TermResolver,
  { isEnglish }: { isEnglish: boolean },
): (term: KeywordTerm) => MatchedTerm {
  return (term) => {
    const matches = foundMatches(matchesOf(term, { isEnglish }).map(find))
    return { term, matches, count: matches.reduce((sum, { count }) => sum + count, 0) }
  }

  function find(match: TermMatch): Match {
    switch (match.kind) {
      case 'word':
        return word(match.word, match.weight)
      case 'term':
        return any(match.term, match.weight)
      case 'without':
        return without(any(match.term, match.weight), any(match.excluded, 1))
      case 'starting-with':
        return startingWith(match.start, match.weight, match.wordsOnly)
      case 'phrase':
        return phrase(match.words, match.weight)
    }
  }

  function word(text: string, weight: number): Match {
    const term = resolver.resolve(text)
    return { weight, count: term.wordFragments, source: { term, wordsOnly: true } }
  }

  function any(text: string, weight: number): Match {
    const term = resolver.resolve(text)
    return { weight, count: term.fragments, source: { term, wordsOnly: false } }
  }

  function startingWith(start: string, weight: number, wordsOnly: boolean): Match {
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
    if (match.count === 0 || excluded.count === 0) return match
    return ofLists(match.weight, (live, n) => {
      const list = listOf(match, live, n)
      return list && subtractList(list, listOf(excluded, live, n))
    })
  }

  function phrase(texts: string[], weight: number): Match {
    const terms = texts.map((text) => resolver.resolve(text))
    if (terms.some(({ wordFragments }) => wordFragments === 0)) return ofLists(weight, () => null)
    return ofLists(weight, (live, n) => {
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
