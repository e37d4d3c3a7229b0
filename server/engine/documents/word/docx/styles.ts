import { fileLimits } from '../../../limits'
import { attributeOf, readWholeXml, type XmlElement } from '../../containers/xml-reader'
import type { ZipArchive } from '../../containers/zip-archive'
import { RefusedFile } from '../../format/unreadable-file'
import { createStyles, headingLevel, type SaidByStyle, type StyleDefinition, type WordStyles } from '../styles'

export interface DocxStyles extends WordStyles {
  /** As the file names it, '' where it does not. */
  language: string
}

/** Of a file without styles. */
export const noDocxStyles: DocxStyles = { of: (id) => ({ id }), language: '' }

/**
 * Reads the styles. Those that come with Word have the same names in every language ('heading 1'), under ids that are
 * translated, so a style is known by its name.
 */
export async function readDocxStyles(zip: ZipArchive, part: string): Promise<DocxStyles> {
  const definitions = new Map<string, StyleDefinition>()
  let definition: StyleDefinition | null = null
  let ordinary = ''
  let inDefaults = false
  let language = ''

  function start(element: XmlElement): void {
    const id = attributeOf(element, 'styleId') ?? ''
    const isOrdinary = attributeOf(element, 'type') === 'paragraph' && isOn(attributeOf(element, 'default') ?? '0')
    if (isOrdinary) ordinary = id
    definition = { basedOn: null }
    definitions.set(id, definition)
    if (definitions.size > fileLimits.word.definitions) throw new RefusedFile('file-too-complex')
  }

  function say(element: XmlElement, into: StyleDefinition): void {
    const value = attributeOf(element, 'val')
    if (element.name === 'w:name') Object.assign(into, saidByName(value ?? ''))
    else if (element.name === 'w:basedOn') into.basedOn = value ?? null
    else if (element.name === 'w:outlineLvl') into.level = headingLevel(value)
    else if (element.name === 'w:vanish') into.hidden = isOn(value)
    else if (element.name === 'w:numId') into.numId = value
    else if (element.name === 'w:ilvl') into.listLevel = Number(value) || 0
  }

  await readWholeXml(zip.read(part), {
    open(element) {
      if (element.name === 'w:style') start(element)
      else if (element.name === 'w:rPrDefault') inDefaults = true
      else if (element.name === 'w:lang' && inDefaults) language = attributeOf(element, 'val') ?? ''
      else if (definition) say(element, definition)
    },
    close(name) {
      if (name === 'w:style') definition = null
      if (name === 'w:rPrDefault') inDefaults = false
    },
  })

  return { language, ...createStyles(definitions, ordinary) }
}

/** On unless it says otherwise, as all switches of Word are. */
export function isOn(value: string | undefined): boolean {
  return value === undefined || !/^(0|false|off|none)$/.test(value)
}

function saidByName(name: string): SaidByStyle {
  const lower = name.toLowerCase()
  const level = /^heading ([1-9])$/.exec(lower)?.[1]
  // One that is based on the title is none.
  if (level) return { level: Math.min(Number(level), 6), role: undefined }
  if (lower === 'title') return { level: 1, role: 'title' }
  if (/^toc [1-9]$/.test(lower)) return { role: 'contents' }
  if (lower === 'quote' || lower === 'intense quote') return { role: 'quote' }
  return {}
}
