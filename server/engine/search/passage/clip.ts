import { findTermMatches, type PassageTerm } from './passage-terms'

const ellipsis = '…'
/** Characters before the first match that stay, so that its sentence can be understood. */
const leadLength = 80

/** Shortens a sentence to `maxLength` characters around the words that match most terms; cuts between words. */
export function clip(sentence: string, terms: PassageTerm[], maxLength: number): string {
  if (sentence.length <= maxLength) return sentence
  const room = maxLength - 2 * (ellipsis.length + 1)
  const from = wordStart(sentence, startOf(sentence, terms, room))
  const end = wordEnd(sentence, from, room)
  return `${from > 0 ? `${ellipsis} ` : ''}${sentence.slice(from, end)}${end < sentence.length ? ` ${ellipsis}` : ''}`
}

/** Where the part of `room` characters with the most terms starts. */
function startOf(sentence: string, terms: PassageTerm[], room: number): number {
  const matches = findTermMatches(sentence, terms)
  let best = { worth: 0, start: 0 }
  for (const { start } of matches) {
    const covered = new Map<number, number>()
    for (const { term, similarity } of matches.filter(
      (match) => match.start >= start && match.end <= start + room - leadLength,
    ))
      covered.set(term, Math.max(covered.get(term) ?? 0, similarity * (terms[term]?.weight ?? 0)))
    const worth = [...covered.values()].reduce((total, value) => total + value, 0)
    if (worth > best.worth) best = { worth, start }
  }
  return Math.min(Math.max(0, best.start - leadLength), Math.max(0, sentence.length - room))
}

/** The start of the first word at or after a position; the position itself within a very long word. */
function wordStart(sentence: string, position: number): number {
  if (position === 0) return 0
  const space = sentence.slice(position - 1, position + leadLength).search(/\s\S/)
  return space === -1 ? beforePair(sentence, position) : position + space
}

/** The end of the last word that fits in `room` characters; within a very long word, between characters. */
function wordEnd(sentence: string, from: number, room: number): number {
  if (sentence.length - from <= room) return sentence.length
  const part = sentence.slice(from, from + room + 1)
  const space = part.search(/\s+\S*$/)
  return from + (space > room / 2 ? space : beforePair(sentence, from + room) - from)
}

/** The position, or the one before it if it divides a surrogate pair. */
function beforePair(text: string, position: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(position - 1)) ? position - 1 : position
}
