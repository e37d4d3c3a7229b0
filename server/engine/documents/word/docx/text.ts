import { lineBreak } from '../../../html/dom/text'
import { attributeOf, type XmlElement } from '../../containers/xml-reader'
import { symbolOf } from '../symbol-fonts'
import { isOn } from './styles'

/** A run of text with the same properties. */
export interface Run {
  hidden: boolean
  font: string
}

/** Returns the character for an element of a run other than its text. */
export function characterOf(element: XmlElement, font: string): string {
  switch (element.name) {
    case 'w:tab':
    case 'w:ptab':
      return ' '
    case 'w:br':
    case 'w:cr':
      return lineBreak
    case 'w:noBreakHyphen':
      return '-'
    case 'w:sym': {
      const code = Number.parseInt(attributeOf(element, 'char') ?? '', 16)
      return code > 0 && code < 0xffff ? symbolOf(code, attributeOf(element, 'font') ?? font) : ''
    }
    default:
      return ''
  }
}

/** Applies one property of a run. */
export function applyRunProperty(run: Run, element: XmlElement, hiddenByStyle: (id: string) => boolean): void {
  if (element.name === 'w:vanish') run.hidden = isOn(attributeOf(element, 'val'))
  else if (element.name === 'w:rStyle') run.hidden ||= hiddenByStyle(attributeOf(element, 'val') ?? '')
  else if (element.name === 'w:rFonts') run.font = attributeOf(element, 'ascii') ?? run.font
}

/** Fractions and powers on one line. */
export const mathOperators = {
  before: { 'm:sup': '^', 'm:sub': '_' },
  after: { 'm:num': '/' },
} as const satisfies Record<string, Record<string, string>>

export interface Fields {
  /** Handles a field character: 'begin', 'separate' or 'end'. */
  add(kind: string | undefined): void
  /** Whether text is shown: instructions are not, results are. */
  isVisible(): boolean
  /** An unclosed field hides text up to the end of its paragraph only. */
  endParagraph(): void
}

/** Deeper fields are ignored. */
const maxFieldDepth = 100

export function createFields(): Fields {
  let inInstruction: boolean[] = []
  let hiddenDepth = 0

  return {
    add(kind) {
      if (kind === 'begin' && inInstruction.length < maxFieldDepth) {
        inInstruction.push(true)
        hiddenDepth++
      } else if (kind === 'separate' && inInstruction.at(-1)) {
        inInstruction[inInstruction.length - 1] = false
        hiddenDepth--
      } else if (kind === 'end' && inInstruction.pop()) hiddenDepth--
    },
    isVisible: () => hiddenDepth === 0,
    endParagraph() {
      if (hiddenDepth === 0) return
      inInstruction = inInstruction.map(() => false)
      hiddenDepth = 0
    },
  }
}
