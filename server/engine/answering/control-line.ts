import type { Verdict } from '../../../contract/enumerations'

export interface ControlLine {
  /** Null for a control line that the end of the text cuts off. */
  verdict: Verdict | null
  end: number
}

/** Without spaces, hyphens and underscores. */
const verdicts: Record<string, Verdict> = {
  '<<answered>>': 'answered',
  '<<partly>>': 'partly',
  '<<partially>>': 'partly',
  '<<notfound>>': 'not-found',
}
const lines = Object.keys(verdicts)
const ignored = /[\s_-]/g
/** Longer text is no control line, however it is spaced. */
const maxLength = 24

/** How a model says whether it has answered; part of every prompt. */
export const controlInstructions =
  'End every answer with a line that holds nothing but <<answered>>, <<partly>> or <<not found>>: whether the fragments answer the question, answer a part of it, or do not answer it. Write it exactly so in every language. It is removed before anyone reads the answer.'

/** Reads the control line at `at`. Returns null for other text, and 'incomplete' while more text may complete one. */
export function readControlLine(text: string, at: number, hasEnded: boolean): ControlLine | 'incomplete' | null {
  const start = text.slice(at, at + maxLength)
  const close = start.indexOf('>>')
  if (close >= 0) {
    const verdict = verdicts[normalize(start.slice(0, close + 2))]
    return verdict ? { verdict, end: at + close + 2 } : null
  }
  if (start.length === maxLength || !lines.some((line) => line.startsWith(normalize(start)))) return null
  if (!hasEnded) return 'incomplete'
  return start.startsWith('<<') ? { verdict: null, end: text.length } : null
}

function normalize(text: string): string {
  return text.toLowerCase().replace(ignored, '')
}
