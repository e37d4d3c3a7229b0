/** Longer text between backticks streams as it is. */
const maxInlineLength = 500
const backticks = /`+/y
const fenceStart = /`{3,}|~{3,}/y
const fenceLine = /[ \t]*(`{3,}|~{3,})[ \t]*(?:\n|$)/y
const unfinishedFenceLine = /[ \t]*[`~]*[ \t]*$/y

/** Reads the fence that opens a code block at the start of a line. Null without one. */
export function openFence(
  text: string,
  index: number,
  hasEnded: boolean,
): { fence: string; end: number } | 'incomplete' | null {
  if (text[index] !== '`' && text[index] !== '~') return null
  if (!hasEnded && text.length - index < 3 && /^[`~]+$/.test(text.slice(index))) return 'incomplete'
  const fence = matchAt(fenceStart, text, index)?.[0]
  if (fence === undefined) return null
  const end = index + fence.length
  return end === text.length && !hasEnded ? 'incomplete' : { fence, end }
}

/** Reads the line that closes a code block. Null for another line. */
export function closeFence(
  text: string,
  index: number,
  open: string,
  hasEnded: boolean,
): { end: number } | 'incomplete' | null {
  if (!hasEnded && matchAt(unfinishedFenceLine, text, index)) return 'incomplete'
  const [line = '', fence = ''] = matchAt(fenceLine, text, index) ?? []
  return fence[0] === open[0] && fence.length >= open.length ? { end: index + line.length } : null
}

/** Reads code between backticks; without their counterpart in the same paragraph, only the backticks. */
export function readInlineCode(
  text: string,
  index: number,
  hasEnded: boolean,
): { content: string; end: number } | 'incomplete' {
  const open = matchAt(backticks, text, index)?.[0] ?? ''
  const start = index + open.length
  if (start === text.length && !hasEnded) return 'incomplete'
  for (let from = start; from - start < maxInlineLength; ) {
    const next = text.indexOf('`', from)
    const paragraphEnd = text.indexOf('\n\n', from)
    if (next < 0 || (paragraphEnd >= 0 && paragraphEnd < next)) {
      const canContinue = !hasEnded && paragraphEnd < 0 && text.length - start < maxInlineLength
      return canContinue ? 'incomplete' : { content: '', end: start }
    }
    const close = matchAt(backticks, text, next)?.[0] ?? ''
    const end = next + close.length
    if (end === text.length && !hasEnded) return 'incomplete'
    if (close.length === open.length) return { content: text.slice(start, next), end }
    from = end
  }
  return { content: '', end: start }
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position
  return pattern.exec(text)
}
