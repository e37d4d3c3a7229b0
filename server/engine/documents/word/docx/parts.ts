import { attributeOf, readWholeXml } from '../../containers/xml-reader'
import type { ZipArchive } from '../../containers/zip-archive'
import { RefusedFile } from '../../format/unreadable-file'

/** Names of entries; null for a part that the file does not have. */
export interface DocxParts {
  document: string
  styles: string | null
  numbering: string | null
  settings: string | null
  footnotes: string | null
  endnotes: string | null
  properties: string | null
}

/** Where a relationship leads inside of the file, by the last word of its type. */
type Targets = Map<string, string>

/** Finds the parts by the relationships of the file, whatever they are called; what leads outside is left alone. */
export async function findDocxParts(zip: ZipArchive): Promise<DocxParts> {
  const ofFile = await readTargets(zip, '')
  const document = ofFile.get('officeDocument') ?? zip.find('word/document.xml')
  if (document === null) throw new RefusedFile('file-broken')
  const ofDocument = await readTargets(zip, document)
  const part = (kind: string) => ofDocument.get(kind) ?? null
  return {
    document,
    styles: part('styles'),
    numbering: part('numbering'),
    settings: part('settings'),
    footnotes: part('footnotes'),
    endnotes: part('endnotes'),
    properties: ofFile.get('core-properties') ?? null,
  }
}

async function readTargets(zip: ZipArchive, part: string): Promise<Targets> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const relationships = zip.find(`${folder}_rels/${part.slice(folder.length)}.rels`)
  const targets: Targets = new Map()
  if (relationships === null) return targets
  await readWholeXml(zip.read(relationships), {
    open(element) {
      if (element.name !== 'Relationship' || attributeOf(element, 'TargetMode') === 'External') return
      const kind = attributeOf(element, 'Type')?.split('/').at(-1) ?? ''
      const target = zip.find(resolveName(folder, attributeOf(element, 'Target') ?? ''))
      if (target !== null && !targets.has(kind)) targets.set(kind, target)
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
