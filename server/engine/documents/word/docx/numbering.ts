import { fileLimits } from '../../../limits'
import { attributeOf, readWholeXml, type XmlElement } from '../../containers/xml-reader'
import type { ZipArchive } from '../../containers/zip-archive'
import { RefusedFile } from '../../format/unreadable-file'
import {
  createNumbering,
  type ListForm,
  type ListLevel,
  type ListUse,
  levelCount,
  longestMark,
  type WordNumbering,
} from '../numbering'
import type { WordStyles } from '../styles'
import { isOn } from './styles'

/** Reads how lists are numbered. */
export async function readDocxNumbering(zip: ZipArchive, part: string, styles: WordStyles): Promise<WordNumbering> {
  const lists = new Map<string, ListForm>()
  const uses = new Map<string, ListUse>()
  let list: ListForm | null = null
  let use: ListUse | null = null
  let level: ListLevel | null = null
  let override = 0

  function startList(element: XmlElement): void {
    list = { levels: [], link: null }
    lists.set(attributeOf(element, 'abstractNumId') ?? '', list)
    checkCount()
  }

  function startUse(element: XmlElement): void {
    use = { list: '', starts: [], levels: [] }
    uses.set(attributeOf(element, 'numId') ?? '', use)
    checkCount()
  }

  function checkCount(): void {
    if (lists.size + uses.size > fileLimits.word.definitions) throw new RefusedFile('file-too-complex')
  }

  function startLevel(element: XmlElement): void {
    level = { start: 1, format: 'decimal', text: '', legal: false, style: '' }
    const place = placeOf(attributeOf(element, 'ilvl'))
    const owner = use ?? list
    if (owner) owner.levels[place] = level
  }

  await readWholeXml(zip.read(part), {
    open(element) {
      const value = attributeOf(element, 'val')
      if (element.name === 'w:abstractNum') startList(element)
      else if (element.name === 'w:num') startUse(element)
      else if (element.name === 'w:lvl') startLevel(element)
      else if (element.name === 'w:abstractNumId' && use) use.list = value ?? ''
      else if (element.name === 'w:lvlOverride') override = placeOf(attributeOf(element, 'ilvl'))
      else if (element.name === 'w:startOverride' && use) use.starts[override] = Number(value) || 0
      else if (element.name === 'w:numStyleLink' && list) list.link = value ?? null
      else if (level) describe(level, element, value)
    },
    close(name) {
      if (name === 'w:abstractNum') list = null
      else if (name === 'w:num') use = null
      else if (name === 'w:lvl') level = null
    },
  })
  return createNumbering(lists, uses, styles)
}

function placeOf(level: string | undefined): number {
  return Math.min(Math.max(Number(level) || 0, 0), levelCount - 1)
}

function describe(level: ListLevel, { name }: XmlElement, value: string | undefined): void {
  if (name === 'w:start') level.start = Number(value) || 0
  else if (name === 'w:numFmt') level.format = value ?? 'decimal'
  else if (name === 'w:lvlText') level.text = (value ?? '').slice(0, longestMark)
  else if (name === 'w:isLgl') level.legal = isOn(value)
  else if (name === 'w:pStyle') level.style = value ?? ''
}
