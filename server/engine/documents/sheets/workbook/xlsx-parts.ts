import { fileLimits } from '../../../limits'
import { readXml, type XmlHandler } from '../../containers/xml-reader'
import type { ZipArchive } from '../../containers/zip-archive'
import { UnreadableFile } from '../../format/unreadable-file'
import type { FileFacts } from '../../ports'
import { onOneLine } from './cell'
import { formatOf, type NumberFormat } from './number-format'

export interface WorkbookParts {
  facts: FileFacts
  from1904: boolean
  /** Visible sheets, with their entries in the archive. */
  sheets: { name: string; entry: string }[]
  /** Entry of the shared strings; null if there are none. */
  strings: string | null
  formats: NumberFormat[]
}

interface Relation {
  id: string
  /** The last segment of the relationship type. */
  type: string
  target: string
}

/** Reads the structure and the metadata of a workbook. Throws UnreadableFile if it is not one. */
export async function readWorkbook(archive: ZipArchive): Promise<WorkbookParts> {
  const root = await readRelations(archive, '')
  const main = partOf(archive, '', root, 'officeDocument') ?? archive.find('xl/workbook.xml')
  if (main === null || !/\.xml$/i.test(main)) throw refusalOf(archive)
  const relations = await readRelations(archive, main)
  const { named, from1904 } = await readSheets(archive, main)
  const styles = partOf(archive, main, relations, 'styles') ?? archive.find('xl/styles.xml')
  const sheets = named.flatMap(({ name, id, isHidden }, index) => {
    const relation = relations.find((each) => each.id === id)
    if (isHidden || (relation && relation.type !== 'worksheet')) return []
    const entry = relation
      ? resolve(archive, main, relation.target)
      : archive.find(`xl/worksheets/sheet${index + 1}.xml`)
    return entry === null ? [] : [{ name, entry }]
  })
  return {
    facts: await readFacts(archive, partOf(archive, '', root, 'core-properties')),
    from1904,
    sheets,
    strings: partOf(archive, main, relations, 'sharedStrings') ?? archive.find('xl/sharedStrings.xml'),
    formats: styles === null ? [] : await readFormats(archive, styles),
  }
}

/** Distinguishes other documents, and workbooks that are not XML, from damaged files. */
function refusalOf({ names }: ZipArchive): UnreadableFile {
  const isOther = names.some((name) => /(?:^(?:word|ppt|META-INF)\/|\.bin$|^mimetype$|^content\.xml$)/i.test(name))
  return new UnreadableFile(isOther ? 'file-mismatch' : 'file-broken')
}

/** Reads the relationships of a part; of the package if `part` is ''. */
async function readRelations(archive: ZipArchive, part: string): Promise<Relation[]> {
  const slash = part.lastIndexOf('/') + 1
  const entry = archive.find(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`)
  const relations: Relation[] = []
  if (entry === null) return relations
  await readPart(archive, entry, {
    open({ name, attributes: { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode } }) {
      // External targets are never read.
      if (name !== 'Relationship' || mode === 'External' || relations.length > fileLimits.workbook.sheets) return
      relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target })
    },
  })
  return relations
}

function partOf(archive: ZipArchive, from: string, relations: Relation[], type: string): string | null {
  const relation = relations.find((each) => each.type === type)
  return relation ? resolve(archive, from, relation.target) : null
}

function resolve(archive: ZipArchive, from: string, target: string): string | null {
  const steps = target.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const step of target.split(/[/\\]/)) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return archive.find(steps.join('/'))
}

async function readSheets(archive: ZipArchive, main: string) {
  const named: { name: string; id: string; isHidden: boolean }[] = []
  let from1904 = false
  await readPart(archive, main, {
    open({ name, attributes }) {
      if (name === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '')
      if (name !== 'sheet') return
      if (named.length === fileLimits.workbook.sheets) throw new UnreadableFile('file-too-complex')
      const [, id = ''] = Object.entries(attributes).find(([key]) => key === 'id' || key.endsWith(':id')) ?? []
      named.push({ name: attributes.name ?? '', id, isHidden: /hidden$/i.test(attributes.state ?? '') })
    },
  })
  return { named, from1904 }
}

async function readFormats(archive: ZipArchive, entry: string): Promise<NumberFormat[]> {
  const own = new Map<number, string>()
  const formats: NumberFormat[] = []
  const cache = new Map<number, NumberFormat>()
  let isCells = false
  await readPart(archive, entry, {
    open({ name, attributes: { numFmtId = '0', formatCode = '' } }) {
      const id = Number(numFmtId)
      if (name === 'numFmt') own.set(id, formatCode)
      else if (name === 'cellXfs') isCells = true
      else if (name === 'xf' && isCells) {
        const format = cache.get(id) ?? formatOf(id, own)
        cache.set(id, format)
        formats.push(format)
      }
    },
    close(name) {
      if (name === 'cellXfs') isCells = false
    },
  })
  return formats
}

function readPart(archive: ZipArchive, entry: string, handler: XmlHandler): Promise<void> {
  return readXml(archive.read(entry), handler, 'lenient')
}

/** Characters kept of a property. */
const maxPropertyLength = 1_000

async function readFacts(archive: ZipArchive, entry: string | null): Promise<FileFacts> {
  const found = { title: '', language: '', created: '', modified: '' }
  let current: keyof typeof found | null = null
  if (entry !== null) {
    await readPart(archive, entry, {
      open({ name }) {
        current = name in found ? (name as keyof typeof found) : null
      },
      text(chunk) {
        if (current && found[current].length < maxPropertyLength) found[current] += chunk
      },
      close() {
        current = null
      },
    })
  }
  return {
    title: onOneLine(found.title),
    language: /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(found.language) ? found.language.toLowerCase() : '',
    publishedAt: timeOf(found.created),
    modifiedAt: timeOf(found.modified),
  }
}

function timeOf(text: string): number | null {
  const time = Date.parse(text.trim())
  return Number.isNaN(time) ? null : time
}
