import { attributeOf, type PageElement } from '../dom/element'
import { kindOf } from '../dom/element-categories'
import { isDropped } from './boilerplate-elements'

/** Letters of a run of text from which on it counts in full, and below which it hardly counts: a label or a button. */
const sentence = 60
const label = 25

/** Signs of scripts that say a word with one or two of them (Chinese, Japanese, Korean) count as so many letters. */
const dense = 3
const firstDense = 0x2e80

/** Letters of a run of text, and those of them in links. */
interface Run {
  letters: number
  linked: number
}

/**
 * Writes into every element how many letters of it read like text: runs of text by their length, without their links.
 * Code counts in full.
 */
export function weighProse(root: PageElement): void {
  weigh(root)
}

function weigh(element: PageElement): number {
  let prose = 0
  let plain = 0
  const run: Run = { letters: 0, linked: 0 }

  function endRun(): void {
    prose += weightOf(run)
    plain += run.letters - run.linked
    run.letters = 0
    run.linked = 0
  }

  function gather(from: PageElement, isLink: boolean): void {
    for (const child of from.children) {
      if (typeof child === 'string') {
        const letters = lettersIn(child)
        run.letters += letters
        if (isLink) run.linked += letters
      } else if (isDropped(child)) child.prose = 0
      else if (child.kind & kindOf.phrasing) gatherPhrase(child, isLink)
      else {
        endRun()
        prose += weigh(child)
        plain += child.plain
      }
    }
  }

  function gatherPhrase(phrase: PageElement, isLink: boolean): void {
    const before = { prose: prose + run.letters - run.linked, plain: plain + run.letters - run.linked }
    gather(phrase, isLink || (phrase.name === 'a' && attributeOf(phrase, 'href') !== null))
    phrase.prose = Math.max(0, prose + run.letters - run.linked - before.prose)
    phrase.plain = plain + run.letters - run.linked - before.plain
  }

  gather(element, false)
  if (element.name === 'pre') {
    prose += run.letters
    plain += run.letters
  } else endRun()
  element.prose = prose
  element.plain = plain
  return prose
}

function weightOf({ letters, linked }: Run): number {
  const own = letters - linked
  if (own <= linked) return 0
  if (own >= sentence) return own
  return own >= label ? own * 0.5 : own * 0.1
}

function lettersIn(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 32 && code !== 160) length += code >= firstDense ? dense : 1
  }
  return length
}
