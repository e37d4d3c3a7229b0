import { fileLimits } from '../../../limits'
import { attributeOf, readXml, type XmlElement } from '../../containers/xml-reader'
import type { ZipArchive } from '../../containers/zip-archive'
import { UnreadableFile } from '../../format/unreadable-file'
import { createStyles, headingLevel, type StyleDefinition, type StyleProperties, type WordStyles } from '../styles'

export interface DocxStyles extends WordStyles {
  /** Language as written in the file; '' without one. */
  language: string
}

/** The styles of a file without any. */
export const noDocxStyles: DocxStyles = { of: (id) => ({ id }), language: '' }

/**
 * Reads the styles. Built-in styles have the same names in every language ('heading 1'), but translated ids, so styles
 * are recognized by name.
 */
export async function readDocxStyles(zip: ZipArchive, part: string): Promise<DocxStyles> {
  const definitions = new Map<string, StyleDefinition>()
  let definition: StyleDefinition | null = null
  let defaultId = ''
  let inDefaults = false
  let language = ''

  function start(element: XmlElement): void {
    const id = attributeOf(element, 'styleId') ?? ''
    const isDefault = attributeOf(element, 'type') === 'paragraph' && isOn(attributeOf(element, 'default') ?? '0')
    if (isDefault) defaultId = id
    definition = { basedOn: null }
    definitions.set(id, definition)
    if (definitions.size > fileLimits.word.definitions) throw new UnreadableFile('file-too-complex')
  }

  function apply(element: XmlElement, style: StyleDefinition): void {
    const value = attributeOf(element, 'val')
    if (element.name === 'w:name') Object.assign(style, propertiesOfName(value ?? ''))
    else if (element.name === 'w:basedOn') style.basedOn = value ?? null
    else if (element.name === 'w:outlineLvl') style.level = headingLevel(value)
    else if (element.name === 'w:vanish') style.hidden = isOn(value)
    else if (element.name === 'w:numId') style.numId = value
    else if (element.name === 'w:ilvl') style.listLevel = Number(value) || 0
  }

  await readXml(zip.read(part), {
    open(element) {
      if (element.name === 'w:style') start(element)
      else if (element.name === 'w:rPrDefault') inDefaults = true
      else if (element.name === 'w:lang' && inDefaults) language = attributeOf(element, 'val') ?? ''
      else if (definition) apply(element, definition)
    },
    close(name) {
      if (name === 'w:style') definition = null
      if (name === 'w:rPrDefault') inDefaults = false
    },
  })

  return { language, ...createStyles(definitions, defaultId) }
}

/** Whether a toggle property is on, as it is by default. */
export function isOn(value: string | undefined): boolean {
  return value === undefined || !/^(0|false|off|none)$/.test(value)
}

function propertiesOfName(name: string): StyleProperties {
  const lower = name.toLowerCase()
  const level = /^heading ([1-9])$/.exec(lower)?.[1]
  // A heading based on the title style is not a title.
  if (level) return { level: Math.min(Number(level), 6), role: undefined }
  if (lower === 'title') return { level: 1, role: 'title' }
  if (/^toc [1-9]$/.test(lower)) return { role: 'contents' }
  if (lower === 'quote' || lower === 'intense quote') return { role: 'quote' }
  return {}
}
