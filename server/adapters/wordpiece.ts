import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tokenizer } from '../engine/ports'

interface TokenizerFile {
  added_tokens?: { content: string }[]
  normalizer?: { lowercase?: boolean; strip_accents?: boolean | null; handle_chinese_chars?: boolean } | null
  model: {
    type: string
    vocab: Record<string, number>
    max_input_chars_per_word?: number
    continuing_subword_prefix?: string
  }
}

// The white space of ECMAScript without the three characters that the cleaning step removes as control characters.
const whitespace = /[^\S\v\f\uFEFF]+/
const removed = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu
const ideographs = /[\u4E00-\u9FFF\u3400-\u4DBF\uF900-\uFAFF]/g
const wordsAndMarks = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu
const cachedChunks = 30_000
const longestCachedChunk = 40

/**
 * Counts word pieces as BERT's tokenizer does (basic tokenization, then the longest match first; J. Devlin et al.,
 * "BERT", 2019), from the `tokenizer.json` in a model's folder. Throws when the model's tokenizer is of another kind.
 */
export function createTokenizer(modelFolder: string): Tokenizer {
  const file = JSON.parse(readFileSync(join(modelFolder, 'tokenizer.json'), 'utf8')) as TokenizerFile
  if (file.model.type !== 'WordPiece') throw new Error(`The tokenizer in ${modelFolder} is not of the kind WordPiece.`)

  const prefix = file.model.continuing_subword_prefix ?? '##'
  const longestWord = file.model.max_input_chars_per_word ?? 100
  const {
    lowercase = true,
    strip_accents: stripAccents,
    handle_chinese_chars: splitIdeographs = true,
  } = file.normalizer ?? {}
  const starts = new Set<string>()
  const continuations = new Set<string>()
  let longestPiece = 1
  for (const piece of Object.keys(file.model.vocab)) {
    const continues = piece.startsWith(prefix)
    const text = continues ? piece.slice(prefix.length) : piece
    const pieces = continues ? continuations : starts
    pieces.add(text)
    longestPiece = Math.max(longestPiece, text.length)
  }
  const special = (file.added_tokens ?? []).map(({ content }) => content.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const specials = special.length > 0 ? new RegExp(special.join('|'), 'g') : null
  const known = new Map<string, number>()

  return {
    count(text) {
      let count = 0
      const parts = specials && text.includes('[') ? text.split(specials) : [text]
      count += parts.length - 1
      for (const part of parts) for (const chunk of part.split(whitespace)) count += countOfChunk(chunk)
      return count
    },
  }

  /** Every step of the normalization stays inside of what stands between two spaces, so chunks can be remembered. */
  function countOfChunk(chunk: string): number {
    if (chunk === '') return 0
    const remembered = known.get(chunk)
    if (remembered !== undefined) return remembered
    let count = 0
    for (const word of normalized(chunk).match(wordsAndMarks) ?? []) count += countOfWord(word)
    if (chunk.length <= longestCachedChunk) {
      if (known.size >= cachedChunks) known.clear()
      known.set(chunk, count)
    }
    return count
  }

  function normalized(chunk: string): string {
    let text = chunk.replace(removed, '')
    if (splitIdeographs) text = text.replace(ideographs, ' $& ')
    if (lowercase) text = text.toLowerCase()
    if (stripAccents ?? lowercase) text = text.normalize('NFD').replace(/\p{Mn}/gu, '')
    return text
  }

  /** A word that cannot be made of pieces, or is too long, is one unknown piece. */
  function countOfWord(word: string): number {
    if (word.length > longestWord && [...word].length > longestWord) return 1
    let count = 0
    for (let start = 0; start < word.length; count++) {
      const pieces = start === 0 ? starts : continuations
      let end = Math.min(word.length, start + longestPiece)
      while (end > start && !pieces.has(word.slice(start, end))) end--
      if (end === start) return 1
      start = end
    }
    return count
  }
}
