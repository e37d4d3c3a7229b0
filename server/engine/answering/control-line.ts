import type { Verdict } from '../../../contract/values/enumerations'

export interface ControlLine {
  /** Null for a control line that the end of the text cuts off. */
  verdict: Verdict | null
  end: number
}

/** Verdicts by their words, without spaces, hyphens and underscores. */
const verdicts: Record<string, Verdict> = {
  '<<answered>>': 'answered',
  '<<partly>>': 'partly',
  '<<partially>>': 'partly',
  '<<notfound>>': 'not-found',
}
const lines = Object.keys(verdicts)
const ignored = /[\s_-]/g
/** Longer text is not a control line, however it is spaced. */
const maxLength = 24

/** How a model says whether it has answered; part of every prompt. */
export const controlInstructions =
  'End every answer with a line that holds nothing but <<answered>>, <<partly>> or <<not found>>: whether the fragments answer the question, answer a part of it, or do not answer it. Write it exactly so in every language. It is removed before anyone reads the answer.'

interface ControlTail {
  /** Takes the next part of the text. Returns the part that is before a possible control line at the end. */
  push(text: string): string
  /** Returns the rest of the text, or the control line that it is. */
  end(): { rest: string; control: { verdict: Verdict | null } | null }
}

/** Words of a control line that say the opposite of the instructed ones, or combine them. */
const otherWords = ['unanswered', 'notanswered', 'partlyanswered', 'partiallyanswered']
const notLetter = /[^\p{L}]/gu
const decorated = /^[ \t*_>#~`-]{0,20}((?:\\?<){1,3})([^<>\\\n]{1,24})(?:\\?>){1,3}[ \t\r*_`~.!]*$/
/** A line that may become a decorated control line. */
const startOfDecorated =
  /^[ \t*_>#~`-]{0,20}(?:\\?|(?:\\?<){1,3}\\?|(?:\\?<){1,3}[^<>\\\n]{1,24}\\?(?:>\\?){0,3}[ \t\r*_`~.!]*)$/
const cutOff = /^[ \t*_>#~`-]{0,20}(?:\\?<){2,3}[^<>\\\n]{0,24}\\?>?\\?$/
const openingFence = /^[ \t]*(?:`{3,}|~{3,})[\w-]*\s*$/
const closingFence = /^[ \t]*(?:`{3,}|~{3,})\s*$/
const startOfFence = /^[ \t]*(?:`{0,3}|~{0,3}|(?:`{3,}|~{3,})[\w-]*\s*)$/

/**
 * Holds back the end of a text while it may be a control line, however a model decorates it: with emphasis, as an item or
 * a quotation, escaped, in a code block, with one angle bracket, or in other words.
 */
export function createControlTail(): ControlTail {
  let held = ''
  let isLineStart = true

  return {
    push: (text) => {
      held += text
      const length = tailStart(held, isLineStart)
      const released = held.slice(0, length)
      if (released !== '') isLineStart = released.endsWith('\n')
      held = held.slice(length)
      return released
    },
    end: () => {
      const control = isLineStart ? controlOf(held) : null
      const rest = control ? '' : held
      held = ''
      return { rest, control }
    },
  }
}

/** Returns the index of the first line of a possible control line, with the code block around it, at the end of the text. */
function tailStart(text: string, isLineStart: boolean): number {
  let position = isLineStart ? 0 : text.indexOf('\n') + 1
  if (!isLineStart && position === 0) return text.length
  let start: number | null = null
  let hasControl = false
  for (let newline = text.indexOf('\n', position); newline >= 0; newline = text.indexOf('\n', position)) {
    const line = text.slice(position, newline)
    if (decorated.test(line)) {
      if (start === null || hasControl) start = position
      hasControl = true
    } else if (start === null || !(line.trim() === '' || (hasControl && closingFence.test(line)))) {
      start = openingFence.test(line) ? position : null
      hasControl = false
    }
    position = newline + 1
  }
  const last = text.slice(position)
  if (start !== null && (hasControl ? startOfFence : startOfDecorated).test(last)) return start
  return startOfDecorated.test(last) || startOfFence.test(last) ? position : text.length
}

function controlOf(tail: string): { verdict: Verdict | null } | null {
  const lines = tail.split('\n').filter((line) => line.trim() !== '')
  const line = lines.find((text) => !openingFence.test(text)) ?? ''
  if (cutOff.test(line)) return { verdict: null }
  const [, brackets = '', words = ''] = decorated.exec(line) ?? []
  const name = words.toLowerCase().replace(notLetter, '')
  const verdict = verdicts[`<<${name}>>`] ?? null
  if (name === '') return null
  // One angle bracket can be a tag or a type.
  const isControl = verdict !== null || brackets.replaceAll('\\', '').length > 1 || otherWords.includes(name)
  return isControl ? { verdict } : null
}

/** Reads the control line at `at`. Returns null for other text, and 'incomplete' while more text may complete one. */
export function readControlLine(text: string, index: number, hasEnded: boolean): ControlLine | 'incomplete' | null {
  const start = text.slice(index, index + maxLength)
  const close = start.indexOf('>>')
  if (close >= 0) {
    const verdict = verdicts[normalize(start.slice(0, close + 2))]
    return verdict ? { verdict, end: index + close + 2 } : null
  }
  if (start.length === maxLength || !lines.some((line) => line.startsWith(normalize(start)))) return null
  if (!hasEnded) return 'incomplete'
  return start.startsWith('<<') ? { verdict: null, end: text.length } : null
}

function normalize(text: string): string {
  return text.toLowerCase().replace(ignored, '')
}
