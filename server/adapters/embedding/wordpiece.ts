import { LRUCache } from 'lru-cache'
import { detachString } from '../../engine/language/detach-string'
import type { Tokenizer } from '../../engine/ports/search-index'

export interface WordPieceFile {
  added_tokens?: { content: string }[]
  normalizer?: { lowercase?: boolean; strip_accents?: boolean | null; handle_chinese_chars?: boolean } | null
  model: {
    vocab: Record<string, number>
    max_input_chars_per_word?: number
    continuing_subword_prefix?: string
  }
}

const removed = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu
const ideographs = /[\u4E00-\u9FFF\u3400-\u4DBF\uF900-\uFAFF]/g
const wordsAndMarks = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu
/** Characters that no normalization step changes, except for capital letters. */
const plain = /^[!-~]+$/
const plainWord = /^[A-Za-z\d]+$/
const plainWords = /[A-Za-z\d]+/g
const maxCachedChunks = 60_000
const maxCachedChunkLength = 40

/**
 * Counts tokens as BERT's WordPiece does: basic tokenization, then greedy longest match (J. Devlin et al., "BERT", 2019).
 * `file` is the content of a `tokenizer.json`.
 */
export function createWordPieceTokenizer(file: WordPieceFile): Tokenizer {
  const prefix = file.model.continuing_subword_prefix ?? '##'
  const maxWordLength = file.model.max_input_chars_per_word ?? 100
  const {
    lowercase = true,
    strip_accents: stripAccents,
    handle_chinese_chars: splitIdeographs = true,
  } = file.normalizer ?? {}
  const starts = new Set<string>()
  const continuations = new Set<string>()
  let maxTokenLength = 1
  for (const token of Object.keys(file.model.vocab)) {
    const isContinuation = token.startsWith(prefix)
    const text = isContinuation ? token.slice(prefix.length) : token
    const tokens = isContinuation ? continuations : starts
    tokens.add(text)
    maxTokenLength = Math.max(maxTokenLength, text.length)
  }
  const special = (file.added_tokens ?? []).map(({ content }) => content.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const specials = special.length > 0 ? new RegExp(special.join('|'), 'g') : null

  return { count: createCounter(() => 1), countUnknownByLetters: createCounter((word) => [...word].length) }

  function createCounter(tokensOfUnknown: (word: string) => number): (text: string) => number {
    const cache = new LRUCache<string, number>({ max: maxCachedChunks })

    return (text) => {
      if (!specials || !text.includes('[')) return countOfPart(text)
      const parts = text.split(specials)
      return parts.reduce((sum, part) => sum + countOfPart(part), parts.length - 1)
    }

    function countOfPart(text: string): number {
      let count = 0
      let start = 0
      for (let index = 0; index < text.length; index++) {
        if (!isSpace(text.charCodeAt(index))) continue
        if (index > start) count += countOfChunk(text.slice(start, index))
        start = index + 1
      }
      return start < text.length ? count + countOfChunk(text.slice(start)) : count
    }

    /** Normalization never crosses white space, so the counts of chunks between it can be cached. */
    function countOfChunk(chunk: string): number {
      if (plainWord.test(chunk) && starts.has(lowercase ? chunk.toLowerCase() : chunk)) return 1
      if (chunk.length > maxCachedChunkLength) return countWords(chunk)
      const cached = cache.get(chunk)
      if (cached !== undefined) return cached
      const count = countWords(chunk)
      cache.set(detachString(chunk), count)
      return count
    }

    function countWords(chunk: string): number {
      if (plain.test(chunk)) return countPlain(lowercase ? chunk.toLowerCase() : chunk)
      let count = 0
      for (const word of normalized(chunk).match(wordsAndMarks) ?? []) count += countOfWord(word)
      return count
    }

    /** Counts words one by one, because they recur more often than the whole chunk. Each punctuation mark is one token. */
    function countPlain(chunk: string): number {
      let count = chunk.length
      for (const word of chunk.match(plainWords) ?? []) {
        count += (word === chunk ? countOfWord(word) : countOfChunk(word)) - word.length
      }
      return count
    }

    /** A word that is too long, or has no sequence of tokens, is one unknown token. */
    function countOfWord(word: string): number {
      if (word.length > maxWordLength && [...word].length > maxWordLength) return tokensOfUnknown(word)
      let count = 0
      for (let start = 0; start < word.length; count++) {
        const tokens = start === 0 ? starts : continuations
        let end = Math.min(word.length, start + maxTokenLength)
        while (end > start && !tokens.has(word.slice(start, end))) end--
        if (end === start) return tokensOfUnknown(word)
        start = end
      }
      return count
    }
  }

  function normalized(chunk: string): string {
    let text = chunk.replace(removed, '')
    if (splitIdeographs) text = text.replace(ideographs, ' $& ')
    if (lowercase) text = text.toLowerCase()
    if (stripAccents ?? lowercase) text = text.normalize('NFD').replace(/\p{Mn}/gu, '')
    return text
  }
}

/** White space of ECMAScript, without the three characters that normalization removes as control characters. */
function isSpace(code: number): boolean {
  if (code < 0xa0) return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d
  if (code < 0x1680) return code === 0xa0
  return (code >= 0x2000 && code <= 0x200a) || [0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].includes(code)
}
