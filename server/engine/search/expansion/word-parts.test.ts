import { describe, expect, it } from 'vitest'
import type { Vocabulary } from './vocabulary'
import { findRelated, startAlike, withoutPrefix } from './word-parts'

function vocabularyOf(words: string[]): Vocabulary {
  return {
    countWords: (asked) => new Map(asked.flatMap((word) => (words.includes(word) ? [[word, 1] as const] : []))),
    countPrefixes: () => new Map(),
    sumFragments: (terms) => terms.length,
    termsStartingWith: (start, limit) =>
      words
        .filter((word) => word.startsWith(start))
        .sort()
        .slice(0, limit),
  }
}

describe('related words', () => {
  it.each([
    ['hundeleine', ['leine', 'katze'], ['leine']],
    ['telefonnummer', ['telefon', 'nummer'], ['telefon', 'nummer']],
    ['zaparkowac', ['parking', 'piesek'], ['parking']],
    ['parken', ['parkplatz', 'parking', 'park'], ['parkplatz', 'parking', 'park']],
    ['offnungszeiten', ['geoffnet', 'samstag'], ['geoffnet']],
    ['geimpft', ['impfung'], ['impfung']],
    ['kasten', ['kosten', 'kast'], ['kast']],
    ['haus', ['hut', 'auslage'], []],
    ['hx7731', ['hx7'], []],
  ])('of %s in %j: %j', (word, words, expected) => {
    expect(new Set(findRelated(vocabularyOf(words), word).words)).toEqual(new Set(expected))
  })

  it('are searched by their common beginning', () => {
    const { terms } = findRelated(vocabularyOf(['parkplatz', 'parking']), 'zaparkowac')
    expect(terms).toEqual([{ kind: 'prefix', word: 'park' }])
  })

  it('are none if too many words start alike', () => {
    const inflected = Array.from({ length: 60 }, (_, n) => `inter${String.fromCharCode(97 + (n % 26))}${n}`)
    expect(findRelated(vocabularyOf(inflected), 'interessen').words).toEqual([])
  })
})

it('removes verbal prefixes', () => {
  expect(['zaparkowac', 'geoffnet', 'unbekannt', 'haus', 'gans'].map(withoutPrefix)).toEqual([
    'parkowac',
    'offnet',
    'bekannt',
    null,
    null,
  ])
})

it('compares beginnings', () => {
  expect(startAlike('parkowac', 'parking')).toBe(true)
  expect(startAlike('kosten', 'kasten')).toBe(false)
  expect(startAlike('tag', 'tage')).toBe(false)
})
