import { type ZipEntry, zipOf } from './zip'

export interface DocxSource {
  /** Content of the body; its elements have the prefix w. */
  body: string
  styles?: string
  numbering?: string
  footnotes?: string
  endnotes?: string
  settings?: string
  /** Core properties, with the prefixes dc and dcterms. */
  properties?: string
  namespace?: string
  /** Entry of the main part. */
  part?: string
  /** Further entries, which replace others of the same name. */
  more?: ZipEntry[]
}

const namespaces = {
  w: 'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  mc: 'http://schemas.openxmlformats.org/markup-compatibility/2006',
  m: 'http://schemas.openxmlformats.org/officeDocument/2006/math',
  office: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  package: 'http://schemas.openxmlformats.org/package/2006',
}
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/** Builds a Word file from its parts. */
export function docxOf(source: DocxSource): Buffer {
  const { body, namespace = namespaces.w, part = 'word/document.xml', more = [] } = source
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const element = (name: string, content: string) =>
    `${declaration}<w:${name} xmlns:w="${namespace}" xmlns:mc="${namespaces.mc}" xmlns:m="${namespaces.m}">${content}</w:${name}>`
  const secondaryParts = (['styles', 'numbering', 'footnotes', 'endnotes', 'settings'] as const).filter(
    (name) => source[name],
  )
  const entries: ZipEntry[] = [
    ...more,
    {
      name: '[Content_Types].xml',
      content: `${declaration}<Types xmlns="${namespaces.package}/content-types"><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      content: relationships([
        [`${namespaces.office}/officeDocument`, part],
        [`${namespaces.package}/relationships/metadata/core-properties`, 'docProps/core.xml'],
      ]),
    },
    { name: part, content: element('document', `<w:body>${body}</w:body>`) },
    {
      name: `${folder}_rels/${part.slice(folder.length)}.rels`,
      content: relationships(secondaryParts.map((name) => [`${namespaces.office}/${name}`, `${name}.xml`])),
    },
    ...secondaryParts.map((name) => ({ name: `${folder}${name}.xml`, content: element(name, source[name] ?? '') })),
  ]
  if (source.properties) {
    const content = `${declaration}<cp:coreProperties xmlns:cp="${namespaces.package}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">${source.properties}</cp:coreProperties>`
    entries.push({ name: 'docProps/core.xml', content })
  }
  return zipOf(entries)
}

/** A paragraph with properties and one run. */
export function paragraphOf(text: string, properties = '', runProperties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:rPr>${runProperties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
}

/** A table of rows of cells, each with its content. */
export function tableOf(rows: string[][]): string {
  const cell = (content: string) => `<w:tc>${content.startsWith('<') ? content : paragraphOf(content)}</w:tc>`
  return `<w:tbl>${rows.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`
}

function relationships(targets: [type: string, target: string][]): string {
  const listed = targets.map(
    ([type, target], index) => `<Relationship Id="r${index}" Type="${type}" Target="${target}"/>`,
  )
  return `${declaration}<Relationships xmlns="${namespaces.package}/relationships">${listed.join('')}</Relationships>`
}
