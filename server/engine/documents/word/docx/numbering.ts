import { fileLimits } from '../../../limits'
import { attributeOf, readXml, type XmlElement } from '../../containers/xml-reader'
import type { ZipArchive } from '../../containers/zip-archive'
import { UnreadableFile } from '../../format/unreadable-file'
import {
  createNumbering,
  type ListDefinition,
  type ListInstance,
  type ListLevel,
  levelCount,
  maxMarkerLength,
  type WordNumbering,
} from '../numbering'
import type { WordStyles } from '../styles'
import { isOn } from './styles'

/** Reads the numbering of lists. */
export async function readDocxNumbering(zip: ZipArchive, part: string, styles: WordStyles): Promise<WordNumbering> {
  const lists = new Map<string, ListDefinition>()
  const instances = new Map<string, ListInstance>()
  let list: ListDefinition | null = null
  let instance: ListInstance | null = null
  let level: ListLevel | null = null
  let override = 0

  function startList(element: XmlElement): void {
    list = { levels: [], link: null }
    lists.set(attributeOf(element, 'abstractNumId') ?? '', list)
    checkCount()
  }

  function startInstance(element: XmlElement): void {
    instance = { definition: '', starts: [], levels: [] }
    instances.set(attributeOf(element, 'numId') ?? '', instance)
    checkCount()
  }

  function checkCount(): void {
    if (lists.size + instances.size > fileLimits.word.definitions) throw new UnreadableFile('file-too-complex')
  }

  function startLevel(element: XmlElement): void {
    level = { start: 1, format: 'decimal', text: '', legal: false, style: '' }
    const index = levelIndex(attributeOf(element, 'ilvl'))
    const owner = instance ?? list
    if (owner) owner.levels[index] = level
  }

  await readXml(zip.read(part), {
    open(element) {
      const value = attributeOf(element, 'val')
      if (element.name === 'w:abstractNum') startList(element)
      else if (element.name === 'w:num') startInstance(element)
      else if (element.name === 'w:lvl') startLevel(element)
      else if (element.name === 'w:abstractNumId' && instance) instance.definition = value ?? ''
      else if (element.name === 'w:lvlOverride') override = levelIndex(attributeOf(element, 'ilvl'))
      else if (element.name === 'w:startOverride' && instance) instance.starts[override] = Number(value) || 0
      else if (element.name === 'w:numStyleLink' && list) list.link = value ?? null
      else if (level) describe(level, element, value)
    },
    close(name) {
      if (name === 'w:abstractNum') list = null
      else if (name === 'w:num') instance = null
      else if (name === 'w:lvl') level = null
    },
  })
  return createNumbering(lists, instances, styles)
}

function levelIndex(level: string | undefined): number {
  return Math.min(Math.max(Number(level) || 0, 0), levelCount - 1)
}

function describe(level: ListLevel, { name }: XmlElement, value: string | undefined): void {
  if (name === 'w:start') level.start = Number(value) || 0
  else if (name === 'w:numFmt') level.format = value ?? 'decimal'
  else if (name === 'w:lvlText') level.text = (value ?? '').slice(0, maxMarkerLength)
  else if (name === 'w:isLgl') level.legal = isOn(value)
  else if (name === 'w:pStyle') level.style = value ?? ''
}
