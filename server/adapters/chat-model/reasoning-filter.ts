const openingTags = ['<think>', '<thinking>']
const closingTags = ['</think>', '</thinking>']

interface FilteredText {
  text: string
  /** Whether all text returned before was reasoning. */
  discardsEarlier: boolean
}

export interface ReasoningFilter {
  /** Returns the text without reasoning. Holds back a tag that is not complete yet. */
  push(text: string): FilteredText
  /** Returns what was held back, at the end of the stream. `isComplete`: the model ended it by itself. */
  flush(isComplete: boolean): string
}

/**
 * Removes the reasoning that local models write into their answers between <think> and </think>, wherever the stream is
 * split. A tag in backticks is text about the tag. Some chat templates put the opening tag into the prompt, so everything
 * before a closing tag without an opening one is reasoning too. With `startsInReasoning`, the text before that tag is held
 * back, for a model that is known to write so; a complete text without the tag is an answer.
 */
export function createReasoningFilter({ startsInReasoning = false } = {}): ReasoningFilter {
  let held = ''
  let isReasoning = startsInReasoning
  let unclosed: string | null = startsInReasoning ? '' : null
  let canBeReasoning = true
  let before = ''

  function push(text: string): FilteredText {
    let rest = held + text
    let output = ''
    let discardsEarlier = false
    for (;;) {
      const tag = firstTag(rest, awaitedTags())
      if (!tag) break
      const preceding = rest.slice(0, tag.index)
      if (!isReasoning) {
        output += preceding
        before = preceding.slice(-1) || before
        if (before === '`') {
          output += tag[0]
          before = '>'
          rest = rest.slice(tag.index + tag[0].length)
          if (!isClosing(tag[0])) canBeReasoning = false
          continue
        }
      }
      rest = rest.slice(tag.index + tag[0].length)
      canBeReasoning = false
      unclosed = null
      if (isReasoning || !isClosing(tag[0])) {
        isReasoning = !isReasoning
      } else {
        output = ''
        discardsEarlier = true
      }
    }
    const heldLength = startOfTag(rest, awaitedTags())
    held = rest.slice(rest.length - heldLength)
    const passed = rest.slice(0, rest.length - heldLength)
    if (isReasoning) {
      if (unclosed !== null) unclosed += passed
      return { text: output, discardsEarlier }
    }
    before = passed.slice(-1) || before
    return { text: output + passed, discardsEarlier }
  }

  function awaitedTags(): string[] {
    if (isReasoning) return closingTags
    return canBeReasoning ? [...openingTags, ...closingTags] : openingTags
  }

  function flush(isComplete: boolean): string {
    const answer = isComplete ? unclosed : null
    const rest = answer !== null ? answer + held : isReasoning ? '' : held
    unclosed = null
    held = ''
    return rest
  }

  return { push, flush }
}

function isClosing(tag: string): boolean {
  return tag.startsWith('</')
}

function firstTag(text: string, tags: string[]): RegExpExecArray | null {
  return new RegExp(tags.join('|'), 'i').exec(text)
}

/** Returns the length of the longest end of the text that could become a tag. */
function startOfTag(text: string, tags: string[]): number {
  const longest = Math.max(...tags.map((tag) => tag.length)) - 1
  for (let length = Math.min(text.length, longest); length > 0; length--) {
    const end = text.slice(-length).toLowerCase()
    if (tags.some((tag) => tag.startsWith(end))) return length
  }
  return 0
}
