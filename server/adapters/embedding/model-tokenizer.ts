import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Tokenizer } from '../../engine/ports'
import { readModelSettings } from './model-settings'
import { createWordPieceTokenizer, type WordPieceFile } from './wordpiece'

/** What is used of the library's tokenizer. */
interface LibraryTokenizer {
  encode(text: string, options: { add_special_tokens: boolean }): { ids: number[] }
}

/** Characters that are encoded at once: what a kind of tokenizer does with a text without end stays bounded. */
const stretches = /.{1,4000}(?=\s|$)|.{1,4000}/gsu
/** A run of ASCII letters and digits, or one other character. */
const runs = /[a-z\d]+|\S/giu
const lettersOfPiece = 8
/** Fewer pieces hold no passage; what a model with less does not read is found by its words. */
const shortestPassage = 64

/**
 * Counts pieces as the model in the folder does. Where its tokenizer cannot be used the counts are estimates: no vectors
 * can be made with such a model either, which the probe of the embedder says, and words go on being found.
 */
export function createTokenizer(modelFolder: string): Tokenizer {
  const { count } = attempt(() => openTokenizer(modelFolder)) ?? { count: estimate }
  const settings = attempt(() => readModelSettings(modelFolder))
  if (!settings) return { count }
  return { count, maxPassageTokens: Math.max(settings.maxTokens - count(settings.passagePrefix), shortestPassage) }
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
  const countStretch = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids.length
  return { count: (text) => (text.match(stretches) ?? []).reduce((sum, part) => sum + countStretch(part), 0) }
}

/** The one that encodes for the model, in JavaScript alone. It is loaded for such a model only. */
function openLibraryTokenizer(file: unknown, config: unknown): LibraryTokenizer {
  const library = createRequire(import.meta.url).resolve('@huggingface/transformers')
  const { Tokenizer } = createRequire(library)('@huggingface/tokenizers') as {
    Tokenizer: new (file: unknown, config: unknown) => LibraryTokenizer
  }
  return new Tokenizer(file, config)
}

/** About what a model for English makes of a text: long words, and other scripts, are of several pieces. */
function estimate(text: string): number {
  let count = 0
  for (const [run] of text.matchAll(runs)) count += Math.ceil(run.length / lettersOfPiece)
  return count
}
