import { lineBreak } from '../../../html/dom/text'
import { attributeOf, type XmlElement } from '../../containers/xml-reader'
import { signOf } from '../symbol-fonts'
import { isOn } from './styles'

/** A run of text with one look. */
export interface Run {
  hidden: boolean
  font: string
}

/** What an element inside of a run stands for, where that is not its text. */
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
      return code > 0 && code < 0xffff ? signOf(code, attributeOf(element, 'font') ?? font) : ''
    }
    default:
      return ''
  }
}

/** Takes one property of a run. */
export function describeRun(run: Run, element: XmlElement, hiddenByStyle: (id: string) => boolean): void {
  if (element.name === 'w:vanish') run.hidden = isOn(attributeOf(element, 'val'))
  else if (element.name === 'w:rStyle') run.hidden ||= hiddenByStyle(attributeOf(element, 'val') ?? '')
  else if (element.name === 'w:rFonts') run.font = attributeOf(element, 'ascii') ?? run.font
}

/** Fractions and powers on one line. */
export const mathSigns = { before: { 'm:sup': '^', 'm:sub': '_' }, after: { 'm:num': '/' } } as const satisfies Record<
  string,
  Record<string, string>
>

export interface Fields {
  /** A mark of a complex field: its instruction, then its result, then its end. */
  mark(kind: string | undefined): void
  /** Instructions are not shown; the results are. */
  areShown(): boolean
  /** A field that is not closed hides no more than its paragraph. */
  endParagraph(): void
}

/** Deeper ones are not followed. */
const deepestField = 100

export function createFields(): Fields {
  let inInstruction: boolean[] = []
  let hiding = 0

  return {
    mark(kind) {
      if (kind === 'begin' && inInstruction.length < deepestField) {
        inInstruction.push(true)
        hiding++
      } else if (kind === 'separate' && inInstruction.at(-1)) {
        inInstruction[inInstruction.length - 1] = false
        hiding--
      } else if (kind === 'end' && inInstruction.pop()) hiding--
    },
    areShown: () => hiding === 0,
    endParagraph() {
      if (hiding === 0) return
      inInstruction = inInstruction.map(() => false)
      hiding = 0
    },
  }
}
