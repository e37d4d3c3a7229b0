import { isDropped } from '../dom/boilerplate-elements'
import { isPageLink, type PageElement } from '../dom/element'
import { isInline } from '../dom/inline'

/** Letters of a run of text: from the first on it counts in full; below the second, as a label or a button, hardly. */
const fullWeightLetters = 60
const halfWeightLetters = 25

/**
 * Characters from this code on belong to dense scripts (Chinese, Japanese, Korean); each counts as this many letters.
 */
const denseLetters = 3
const firstDenseCode = 0x2e80

interface Run {
  letters: number
  linked: number
}

/**
 * Measures `prose` and `plain` of every element: runs of text count by their length, without their links. Code counts
 * in full.
 */
export function measureProse(root: PageElement): void {
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
      else if (isInline(child)) gatherPhrase(child, isLink)
      else {
        endRun()
        prose += weigh(child)
        plain += child.unlinkedLetters
      }
    }
  }

  function gatherPhrase(phrase: PageElement, isLink: boolean): void {
    const before = { prose: prose + run.letters - run.linked, plain: plain + run.letters - run.linked }
    gather(phrase, isLink || isPageLink(phrase))
    phrase.prose = Math.max(0, prose + run.letters - run.linked - before.prose)
    phrase.unlinkedLetters = plain + run.letters - run.linked - before.plain
  }

  gather(element, false)
  if (element.name === 'pre') {
    prose += run.letters
    plain += run.letters
  } else endRun()
  element.prose = prose
  element.unlinkedLetters = plain
  return prose
}

function weightOf({ letters, linked }: Run): number {
  const own = letters - linked
  if (own <= linked) return 0
  if (own >= fullWeightLetters) return own
  return own >= halfWeightLetters ? own * 0.5 : own * 0.1
}

function lettersIn(text: string): number {
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 32 && code !== 160) length += code >= firstDenseCode ? denseLetters : 1
  }
  return length
}
