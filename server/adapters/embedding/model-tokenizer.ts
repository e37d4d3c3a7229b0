import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Tokenizer } from '../../engine/ports/search-index'
import { lazy } from '../lazy'
import { readModelSettings } from './model-settings'
import { createWordPieceTokenizer, type WordPieceFile } from './wordpiece'

/** The part of the library's tokenizer that is used. */
interface LibraryTokenizer {
  encode(text: string, options: { add_special_tokens: boolean }): { ids: number[] }
}

/** Windows that are encoded one by one, because some tokenizers take quadratic time. */
const windows = /.{1,4000}(?=\s|$)|.{1,4000}/gsu
/** A run of ASCII letters and digits, or one other character. */
const runs = /[a-z\d]+|\S/giu
const lettersPerToken = 8
/** A shorter limit would make useless fragments. Text that a model does not read is still found by keywords. */
const minPassageTokens = 64

/**
 * Counts tokens as the model in the folder does, which is read at the first use. If its tokenizer cannot be used, the
 * counts are estimates; such a model cannot embed either, which the probe reports, and keyword search continues to work.
 */
export function createTokenizer(modelFolder: string): Tokenizer {
  const tokenizer = lazy(() => attempt(() => openTokenizer(modelFolder)) ?? { count: estimate })
  const maxPassageTokens = lazy(() => {
    const settings = attempt(() => readModelSettings(modelFolder))
    if (!settings) return undefined
    return Math.max(settings.maxTokens - tokenizer().count(settings.passagePrefix), minPassageTokens)
  })
  return {
    count: (text) => tokenizer().count(text),
    countUnknownByLetters(text) {
      const { count, countUnknownByLetters = count } = tokenizer()
      return countUnknownByLetters(text)
    },
    get maxPassageTokens() {
      return maxPassageTokens()
    },
  }
}

function attempt<Value>(work: () => Value): Value | null {
  try {
    return work()
  } catch {
    return null
  }
}

function openTokenizer(modelFolder: string): Tokenizer {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(modelFolder, name), 'utf8'))
  const file = read('tokenizer.json') as { model: { type?: string } }
  if (file.model.type === 'WordPiece') return createWordPieceTokenizer(file as WordPieceFile)
  const tokenizer = openLibraryTokenizer(file, read('tokenizer_config.json'))
  const countWindow = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids.length
  return { count: (text) => (text.match(windows) ?? []).reduce((sum, window) => sum + countWindow(window), 0) }
}

/** The tokenizer of the embedding library, which is pure JavaScript. Loaded only for models that need it. */
function openLibraryTokenizer(file: unknown, config: unknown): LibraryTokenizer {
  const library = createRequire(import.meta.url).resolve('@huggingface/transformers')
  const { Tokenizer } = createRequire(library)('@huggingface/tokenizers') as {
    Tokenizer: new (file: unknown, config: unknown) => LibraryTokenizer
  }
  return new Tokenizer(file, config)
}

/** Approximates a model for English: one token per eight letters, and one per other character. */
function estimate(text: string): number {
  let count = 0
  for (const [run] of text.matchAll(runs)) count += Math.ceil(run.length / lettersPerToken)
  return count
}
