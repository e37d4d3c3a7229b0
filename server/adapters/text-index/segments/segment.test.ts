import { describe, expect, test } from 'vitest'
import { testRandom } from '../../../../tests/support/test-random'
import { bytesInMemory } from '../segment-chunks'
import { buildSegment } from './build-segment'
import { ByteReader } from './byte-writer'
import { decodeLength, encodeLength, termKinds } from './layout'
import { mergeSegments } from './merge-segments'
import { openSegment, type Segment } from './segment'

const words = [
  'lamp',
  'lamps',
  'createServer',
  'über',
  'größe',
  'schrauben',
  '密码',
  '𠮷野家',
  'C++',
  'a1b2',
  'the',
  'of',
]

interface Fragment {
  key: number
  title: string
  headings: string
  text: string
}

function fragmentsOf(keys: number[], random: () => number): Fragment[] {
  const pick = (max: number) =>
    Array.from({ length: Math.floor(random() * max) }, () => words[Math.floor(random() * words.length)]).join(' ')
  return keys.map((key) => ({ key, title: pick(3), headings: pick(3), text: `n${key} ${pick(300)}` }))
}

/** The numbers of the words of a fragment in order, with -1 at the end of each column. */
function readWords(bytes: Uint8Array): number[] {
  const reader = new ByteReader(bytes)
  const words: number[] = []
  while (reader.at < bytes.length) words.push(reader.varint() - 1)
  return words
}

function open(bytes: Uint8Array): Segment {
  return openSegment(bytesInMemory(bytes))
}

/** All that a segment says, by term and by key. */
function contentOf(segment: Segment, deleted: ReadonlySet<number> = new Set()) {
  const keys = segment.keys()
  const terms = new Map<string, unknown>()
  const names: string[] = []
  const cursor = segment.termsFrom(new Uint8Array())
  for (let isAt = cursor !== null; cursor && isAt; isAt = cursor.next()) {
    const name = Buffer.from(cursor.term.subarray(0, cursor.length)).toString()
    names.push(name)
    const entry = cursor.entry()
    const list = (wordsOnly: boolean) => {
      const { fragments, frequencies } = segment.list(entry, wordsOnly)
      return [...fragments].flatMap((n, at) => (deleted.has(n) ? [] : [[keys[n], frequencies[at]]]))
    }
    const all = list(false)
    if (all.length > 0) terms.set(name, { all, words: list(true) })
  }
  const texts = [...keys].flatMap((key, n) =>
    deleted.has(n) ? [] : [[key, readWords(segment.words(n)).map((word) => names[word] ?? '|')]],
  )
  return { terms, texts, lengths: [...segment.lengths()].filter((_, n) => !deleted.has(n)) }
}

describe('a segment', () => {
  test('tells the words of a text from what is derived from them', () => {
    const segment = open(buildSegment([{ key: 7, title: 'Pumps', headings: '', text: 'pumps pump' }]))
    const find = (term: string) => {
      const bytes = Buffer.from(term)
      const entry = segment.find(bytes, bytes.length)
      return entry && { ...entry, list: [...segment.list(entry, false).frequencies] }
    }
    expect(find('pumps')).toMatchObject({ kind: termKinds.word, fragments: 1, wordFragments: 1, list: [4] })
    expect(find('pump')).toMatchObject({ kind: termKinds.both, fragments: 1, wordFragments: 1, list: [5] })
    expect(find('pumps~')).toMatchObject({ kind: termKinds.derived, fragments: 1, wordFragments: 0, list: [4] })
    expect(find('pum')).toBeNull()
    expect(find('zzz')).toBeNull()
  })

  test('finds each of its terms, and none between them', () => {
    const random = testRandom()
    const keys = Array.from({ length: 400 }, (_, n) => n + 1)
    const segment = open(buildSegment(fragmentsOf(keys, random)))
    const { terms } = contentOf(segment)
    expect(terms.size).toBeGreaterThan(400)
    for (const term of terms.keys()) {
      const bytes = Buffer.from(term)
      expect([term, segment.find(bytes, bytes.length)?.fragments]).toEqual([term, expect.any(Number)])
      const longer = Buffer.from(`${term}\0`)
      expect(segment.find(longer, longer.length)).toBeNull()
    }
    const names = [...terms.keys()].map((term) => Buffer.from(term))
    expect(names).toEqual([...names].sort(Buffer.compare))
  })

  test('keeps keys that do not fit in 32 bits', () => {
    const key = 2 ** 40 + 3
    expect(open(buildSegment([{ key, title: '', headings: '', text: 'lamp' }])).key(0)).toBe(key)
  })

  test('says of segments that were merged what it would say of their texts', () => {
    const random = testRandom()
    for (let round = 0; round < 20; round++) {
      // Every other time, keys of the segments are interleaved.
      const keys = Array.from({ length: 60 }, (_, n) => n + 1)
      const order = round % 2 === 0 ? keys : [...keys].sort(() => random() - 0.5)
      const all = new Map(fragmentsOf(keys, random).map((fragment) => [fragment.key, fragment]))
      const removed = new Set(keys.filter(() => random() < 0.3))
      const sources = [0, 1, 2].map((part) => {
        const ofPart = order.slice(part * 20, part * 20 + 20).sort((first, second) => first - second)
        const segment = open(buildSegment(ofPart.flatMap((key) => all.get(key) ?? [])))
        return { segment, deleted: new Set(ofPart.flatMap((key, n) => (removed.has(key) ? [n] : []))) }
      })
      const merged = mergeSegments(sources)
      const kept = keys.filter((key) => !removed.has(key)).flatMap((key) => all.get(key) ?? [])
      expect(contentOf(open(merged ?? new Uint8Array()))).toEqual(contentOf(open(buildSegment(kept))))
    }
  })

  test('is nothing if all fragments were deleted', () => {
    const segment = open(buildSegment([{ key: 1, title: '', headings: '', text: 'lamp' }]))
    expect(mergeSegments([{ segment, deleted: new Set([0]) }])).toBeNull()
  })

  test('indexes a fragment without any words', () => {
    const segment = open(buildSegment([{ key: 1, title: '', headings: '', text: '…' }]))
    expect(segment.header).toMatchObject({ fragments: 1, terms: 0 })
    expect(segment.find(Buffer.from('lamp'), 4)).toBeNull()
    expect(segment.termsFrom(new Uint8Array())).toBeNull()
  })
})

test('codes of lengths grow with them, and stand for lengths within 2 %', () => {
  let last = 0
  for (let length = 1; length < 4_000; length++) {
    const code = encodeLength(length)
    expect(code).toBeGreaterThanOrEqual(last)
    expect(Math.abs(decodeLength(code) - length)).toBeLessThanOrEqual(0.02 * length)
    last = code
  }
  expect(encodeLength(100_000)).toBe(255)
})
