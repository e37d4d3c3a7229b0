import { attributeOf, readXml } from '../../containers/xml-reader'
import type { ZipArchive } from '../../containers/zip-archive'
import { UnreadableFile } from '../../format/unreadable-file'

/** Names of entries in the archive; null for missing parts. */
export interface DocxParts {
  document: string
  styles: string | null
  numbering: string | null
  settings: string | null
  footnotes: string | null
  endnotes: string | null
  properties: string | null
}

/** Entries by the last segment of the relationship type. */
type Targets = Map<string, string>

/** Finds the parts of a document by its relationships, whatever their names. External targets are ignored. */
export async function findDocxParts(zip: ZipArchive): Promise<DocxParts> {
  const packageTargets = await readTargets(zip, '')
  const document = packageTargets.get('officeDocument') ?? zip.find('word/document.xml')
  if (document === null) throw new UnreadableFile('file-broken')
  const documentTargets = await readTargets(zip, document)
  const part = (type: string) => documentTargets.get(type) ?? null
  return {
    document,
    styles: part('styles'),
    numbering: part('numbering'),
    settings: part('settings'),
    footnotes: part('footnotes'),
    endnotes: part('endnotes'),
    properties: packageTargets.get('core-properties') ?? null,
  }
}

async function readTargets(zip: ZipArchive, part: string): Promise<Targets> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const relationships = zip.find(`${folder}_rels/${part.slice(folder.length)}.rels`)
  const targets: Targets = new Map()
  if (relationships === null) return targets
  await readXml(zip.read(relationships), {
    open(element) {
      if (element.name !== 'Relationship' || attributeOf(element, 'TargetMode') === 'External') return
      const type = attributeOf(element, 'Type')?.split('/').at(-1) ?? ''
      const target = zip.find(resolveName(folder, attributeOf(element, 'Target') ?? ''))
      if (target !== null && !targets.has(type)) targets.set(type, target)
    },
  })
  return targets
}

function resolveName(folder: string, target: string): string {
  const name = target.replaceAll('\\', '/')
  const steps: string[] = []
  for (const step of (name.startsWith('/') ? name : folder + name).split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}
