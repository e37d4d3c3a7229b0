import type { Block } from '../../ports'
import { blocksOf } from '../blocks/blocks'
import { parsePage } from '../dom/parse'
import { cleanText } from '../dom/text'

const markup =
  /<\/?(?:p|div|h[1-6]|ul|ol|li|br|span|strong|b|em|i|a|table|blockquote|section|article|figure|pre|img)(?:\s[^<>]*)?\/?>/i
const scriptWithoutSpaces = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/g

/** True for a text that a person would read: several words, or one of a script without spaces, mostly letters. */
export function isProse(text: string, fewestWords: number): boolean {
  const cut = text.slice(0, 2000)
  if (/^\s*(?:https?:|\/|data:|[{[<#.@]|function\b)/.test(cut) || /[{}]|=>|;\s*\n|\w\(\)|\w_\w+_\w/.test(cut))
    return false
  const letters = cut.match(/[\p{L}\p{M}]/gu)?.length ?? 0
  if (letters < cut.length * 0.6) return false
  if ((cut.match(scriptWithoutSpaces)?.length ?? 0) * 2 > letters) return letters >= fewestWords * 2
  return wordsOf(cut, fewestWords) >= fewestWords && /\p{Ll}/u.test(cut)
}

/** True where a text has the marks of a sentence. */
export function isSentence(text: string): boolean {
  return /[.!?…:。！？][\s"'”»)\]]*(?:$|\s|\p{L})/u.test(text)
}

/** Words of a text, counted up to `most`. */
export function wordsOf(text: string, most: number): number {
  let count = 0
  for (const _ of text.matchAll(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)) if (++count >= most) break
  return count
}

export function hasMarkup(text: string): boolean {
  return markup.test(text)
}

/** The blocks of a text that stands in data: an HTML fragment, or paragraphs between empty lines. */
export function blocksOfText(text: string): Block[] {
  if (hasMarkup(text)) return blocksOf(parsePage(text).body)
  return text
    .split(/\n\s*\n/)
    .map((part) => cleanText(part))
    .filter((part) => part !== '')
    .map((part) => ({ kind: 'paragraph', text: part, anchor: null }))
}
