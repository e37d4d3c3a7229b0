import type { Verdict } from '../../../contract/values/enumerations'
import { readCitation } from './citation'
import { type ControlLine, createControlTail, readControlLine } from './control-line'
import { closeFence, openFence, readInlineCode } from './markdown-code'

export interface AnswerReader {
  /** Takes the next part of the model's text. Returns the part of the answer that is complete; '' if none is. */
  push(text: string): string
  /** Returns the rest of the answer. */
  end(): string
  /** The cited numbers, in the order of the text. */
  readonly cited: readonly number[]
  /** The model's own verdict; null without a control line. */
  readonly verdict: Verdict | null
}

/** One step of reading: what is emitted, and where reading continues. Null waits for more text. */
type Step = { text: string; end: number } | null

const whitespace = /\s+/y
const plainText = /[^\s[`<~*_(]+/y
/** Emphasis and parentheses around a control line. */
const openingDecoration = /[*_~(]{1,20}/y
const closingDecoration = /[*_~)]{0,20}/y

/**
 * Reads a model's answer while it streams: turns citations into links, removes those of unknown numbers, and withholds the
 * control line. `links` holds the address of each fragment, the first of which is [1]; null for one without a public
 * address. Code stays as it is. A citation is returned in one part, never split.
 */
export function createAnswerReader(links: readonly (string | null)[]): AnswerReader {
  const cited: number[] = []
  const tail = createControlTail()
  let verdict: Verdict | null = null
  let pending = ''
  let fence: string | null = null
  let isLineStart = true
  let space = ''
  let last = ''

  return {
    push: (text) => {
      pending += tail.push(text)
      return drain(false)
    },
    end,
    get cited() {
      return cited
    },
    get verdict() {
      return verdict
    },
  }

  function end(): string {
    const { rest, control } = tail.end()
    pending += rest
    const answer = drain(true)
    if (control === null) return answer
    verdict = control.verdict ?? verdict
    // The closing line of a code block can be in the control line's tail.
    if (fence === null) return answer
    pending = fence
    return answer + drain(true)
  }

  function drain(hasEnded: boolean): string {
    let answer = ''
    let position = 0
    while (position < pending.length) {
      const step = fence === null ? readText(position, hasEnded) : readFenced(fence, position, hasEnded)
      if (step === null) break
      if (step.text !== '') {
        answer += (last === '' ? '' : space) + step.text
        last = step.text.at(-1) ?? last
        space = ''
      }
      position = step.end
    }
    pending = pending.slice(position)
    return answer
  }

  function readText(position: number, hasEnded: boolean): Step {
    const gap = match(whitespace, position)
    if (gap !== '') return readSpace(gap, position)
    const opening = isLineStart ? openFence(pending, position, hasEnded) : null
    if (opening === 'incomplete') return null
    isLineStart = false
    if (opening) {
      fence = opening.fence
      return verbatim(position, opening.end)
    }
    switch (pending[position]) {
      case '[':
        return readBracket(position, hasEnded)
      case '`':
        return readBackticks(position, hasEnded)
      case '<':
        return readAngle(position, hasEnded)
      case '*':
      case '_':
      case '~':
      case '(':
        return readDecoration(position, hasEnded)
      default:
        return verbatim(position, position + match(plainText, position).length)
    }
  }

  /** Space is emitted with the text that follows, because it disappears with what is removed, and at the end. */
  function readSpace(gap: string, index: number): Step {
    space += gap
    isLineStart ||= gap.includes('\n')
    return { text: '', end: index + gap.length }
  }

  function readBracket(position: number, hasEnded: boolean): Step {
    const citation = readCitation(pending, position, hasEnded)
    if (citation === 'incomplete') return null
    if (citation === null) return verbatim(position, position + 1)
    const known = citation.numbers.filter((number) => links[number - 1] !== undefined)
    for (const number of known) if (!cited.includes(number)) cited.push(number)
    if (known.length === 0 && !space.includes('\n')) space = ''
    // Markdown reads '![' as the start of an image.
    const separator = known.length > 0 && space === '' && last === '!' ? ' ' : ''
    return { text: separator + known.map(citationOf).join(''), end: citation.end }
  }

  function citationOf(number: number): string {
    const link = links[number - 1] ?? null
    return link === null ? `[${number}]` : `[${number}](${escapeDestination(link)})`
  }

  function readBackticks(position: number, hasEnded: boolean): Step {
    const code = readInlineCode(pending, position, hasEnded)
    if (code === 'incomplete') return null
    const control = controlInCode(code)
    return control ? withhold(control) : verbatim(position, code.end)
  }

  function readAngle(position: number, hasEnded: boolean): Step {
    const control = readControlLine(pending, position, hasEnded)
    if (control === 'incomplete') return null
    return control === null ? verbatim(position, position + 1) : withhold(control)
  }

  /** Withholds a control line with the emphasis around it: alone, that of both sides would stay as '****'. */
  function readDecoration(position: number, hasEnded: boolean): Step {
    const { length } = match(openingDecoration, position)
    const start = position + length
    if (start === pending.length && !hasEnded) return null
    const control = decoratedControl(start, hasEnded)
    if (control === 'incomplete') return null
    if (control === null) return verbatim(position, start)
    const closing = match(closingDecoration, control.end).slice(0, length)
    const end = control.end + closing.length
    if (end === pending.length && closing.length < length && !hasEnded) return null
    return withhold({ ...control, end })
  }

  function decoratedControl(position: number, hasEnded: boolean): ControlLine | 'incomplete' | null {
    if (pending[position] !== '`') return readControlLine(pending, position, hasEnded)
    const code = readInlineCode(pending, position, hasEnded)
    return code === 'incomplete' ? code : controlInCode(code)
  }

  function controlInCode({ content, end }: { content: string; end: number }): ControlLine | null {
    const control = readControlLine(content.trim(), 0, true)
    return control && control !== 'incomplete' && control.verdict !== null ? { ...control, end } : null
  }

  function withhold(control: ControlLine): Step {
    verdict = control.verdict ?? verdict
    space = ''
    return { text: '', end: control.end }
  }

  function readFenced(open: string, index: number, hasEnded: boolean): Step {
    const closing = isLineStart ? closeFence(pending, index, open, hasEnded) : null
    if (closing === 'incomplete') return null
    if (closing) {
      fence = null
      return verbatim(index, closing.end)
    }
    const newline = pending.indexOf('\n', index)
    isLineStart = newline >= 0
    return verbatim(index, newline < 0 ? pending.length : newline + 1)
  }

  function verbatim(position: number, end: number): Step {
    return { text: pending.slice(position, end), end }
  }

  function match(pattern: RegExp, index: number): string {
    pattern.lastIndex = index
    return pattern.exec(pending)?.[0] ?? ''
  }
}

/** Encodes the characters that end a link destination in Markdown. */
function escapeDestination(link: string): string {
  return link.replace(/[ ()<>\\]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
