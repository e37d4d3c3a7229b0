import { attributeOf, type XmlElement } from '../../containers/xml-reader'

/** Tracks elements that are skipped with all their content. */
export interface SkippedElements {
  /** Called for every start tag; returns true for an element that is skipped or inside one. */
  open(element: XmlElement, parent: string): boolean
  /** Called for every end tag; returns true if `open` did. */
  close(name: string): boolean
  isSkipping(): boolean
}

/** Skips deleted and moved text, all but one alternative of AlternateContent, and what is not text of the document. */
export function createSkippedElements(): SkippedElements {
  /** Open elements within the skipped one, including itself. */
  let depth = 0
  /** For each open AlternateContent: whether an alternative was read. */
  const hasChosen: boolean[] = []

  function isSkipped(element: XmlElement, parent: string): boolean {
    const { name } = element
    // As properties, they only mark a row or a paragraph end.
    if (name === 'w:del' || name === 'w:moveFrom') return parent !== 'w:rPr' && parent !== 'w:trPr'
    if (name === 'mc:Choice' || name === 'mc:Fallback') {
      if (hasChosen.at(-1)) return true
      hasChosen[hasChosen.length - 1] = true
      return false
    }
    if (name === 'w:footnote' || name === 'w:endnote')
      return /separator|notice/i.test(attributeOf(element, 'type') ?? '')
    return name === 'w:rt' || name === 'w:sdtPr' || name === 'w:sectPr' || name.endsWith('PrChange')
  }

  return {
    open(element, parent) {
      if (depth > 0 || isSkipped(element, parent)) {
        depth++
        return true
      }
      if (element.name === 'mc:AlternateContent') hasChosen.push(false)
      return false
    },
    close(name) {
      if (depth > 0) {
        depth--
        return true
      }
      if (name === 'mc:AlternateContent') hasChosen.pop()
      return false
    },
    isSkipping: () => depth > 0,
  }
}
