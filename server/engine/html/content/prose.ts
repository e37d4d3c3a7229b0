import type { Block } from '../../ports/extractor'
import { blocksOf } from '../blocks/blocks'
import { parsePage } from '../dom/parse'
import { cleanText } from '../dom/text'

const markup =
  /<\/?(?:p|div|h[1-6]|ul|ol|li|br|span|strong|b|em|i|a|table|blockquote|section|article|figure|pre|img)(?:\s[^<>]*)?\/?>/i
const scriptWithoutSpaces = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/g

/** Whether a text is prose: mostly letters, with several words or several characters of a script without spaces. */
export function isProse(text: string, minWords: number): boolean {
  const start = text.slice(0, 2000)
  if (/^\s*(?:https?:|\/|data:|[{[<#.@]|function\b)/.test(start) || /[{}]|=>|;\s*\n|\w\(\)|\w_\w+_\w/.test(start))
    return false
  const letters = start.match(/[\p{L}\p{M}]/gu)?.length ?? 0
  if (letters < start.length * 0.6) return false
  if ((start.match(scriptWithoutSpaces)?.length ?? 0) * 2 > letters) return letters >= minWords * 2
  return countWords(start, minWords) >= minWords && /\p{Ll}/u.test(start)
}

/** Whether a text has the punctuation of a sentence. */
export function isSentence(text: string): boolean {
  return /[.!?…:。！？][\s"'”»)\]]*(?:$|\s|\p{L})/u.test(text)
}

/** Counts the words of a text, up to `max`. */
export function countWords(text: string, max: number): number {
  let count = 0
  for (const _ of text.matchAll(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)) if (++count >= max) break
  return count
}

export function hasMarkup(text: string): boolean {
  return markup.test(text)
}

/** Returns the blocks of a text from data: an HTML fragment, or paragraphs separated by empty lines. */
export function blocksOfText(text: string): Block[] {
  if (hasMarkup(text)) return blocksOf(parsePage(text).body)
  return text
    .split(/\n\s*\n/)
    .map((part) => cleanText(part))
    .filter((part) => part !== '')
    .map((part) => ({ kind: 'paragraph', text: part, anchor: null }))
}
