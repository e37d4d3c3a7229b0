import { attributeOf, type XmlElement } from '../../containers/xml-reader'

/** Elements that are left out, with all in them. */
export interface LeftOut {
  /** Told every element; true for one that is left out, or stands in one that is. */
  open(element: XmlElement, parent: string): boolean
  /** Told the end of every element; true for what `open` was true for. */
  close(name: string): boolean
  isInside(): boolean
}

/** What was deleted or moved away, all but one form of what is there in several, and what is no text of the document. */
export function createLeftOut(): LeftOut {
  /** Elements that are open in the one that is left out, with itself. */
  let depth = 0
  /** Of each choice of forms: whether one was read. */
  const chosen: boolean[] = []

  function isLeftOut(element: XmlElement, parent: string): boolean {
    const { name } = element
    // As properties, these only mark.
    if (name === 'w:del' || name === 'w:moveFrom') return parent !== 'w:rPr' && parent !== 'w:trPr'
    if (name === 'mc:Choice' || name === 'mc:Fallback') {
      if (chosen.at(-1)) return true
      chosen[chosen.length - 1] = true
      return false
    }
    if (name === 'w:footnote' || name === 'w:endnote')
      return /separator|notice/i.test(attributeOf(element, 'type') ?? '')
    return name === 'w:rt' || name === 'w:sdtPr' || name === 'w:sectPr' || name.endsWith('PrChange')
  }

  return {
    open(element, parent) {
      if (depth > 0 || isLeftOut(element, parent)) {
        depth++
        return true
      }
      if (element.name === 'mc:AlternateContent') chosen.push(false)
      return false
    },
    close(name) {
      if (depth > 0) {
        depth--
        return true
      }
      if (name === 'mc:AlternateContent') chosen.pop()
      return false
    },
    isInside: () => depth > 0,
  }
}
