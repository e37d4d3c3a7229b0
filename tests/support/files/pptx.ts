import { type ZipEntry, zipOf } from './zip'

export interface PptxSlide {
  /** Shapes of the slide, as XML with the prefixes p and a. */
  shapes: string
  notes?: string
}

const p = 'http://schemas.openxmlformats.org/presentationml/2006/main'
const a = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const r = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const types = 'application/vnd.openxmlformats-officedocument.presentationml'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

function part(name: string, content: string): string {
  return `${declaration}<p:${name} xmlns:p="${p}" xmlns:a="${a}" xmlns:r="${r}">${content}</p:${name}>`
}

function relationships(...targets: [id: string, type: string, target: string][]): string {
  const list = targets.map(([id, type, target]) => `<Relationship Id="${id}" Type="${r}/${type}" Target="${target}"/>`)
  return `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join('')}</Relationships>`
}

const tree = (shapes: string) => `<p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>${shapes}</p:spTree></p:cSld>`

/** Builds a presentation of slides, with the title in its metadata. */
export function pptxOf(slides: PptxSlide[], title = ''): Buffer {
  const entries: Record<string, string> = {
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/ppt/presentation.xml" ContentType="${types}.presentation.main+xml"/>${slides.map((_, n) => `<Override PartName="/ppt/slides/slide${n + 1}.xml" ContentType="${types}.slide+xml"/><Override PartName="/ppt/slideLayouts/slideLayout1.xml" ContentType="${types}.slideLayout+xml"/>`).join('')}</Types>`,
    'docProps/core.xml': `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></cp:coreProperties>`,
    'ppt/presentation.xml': part(
      'presentation',
      `<p:sldIdLst>${slides.map((_, n) => `<p:sldId id="${256 + n}" r:id="rId${n + 1}"/>`).join('')}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/>`,
    ),
    'ppt/_rels/presentation.xml.rels': relationships(
      ...slides.map((_, n): [string, string, string] => [`rId${n + 1}`, 'slide', `slides/slide${n + 1}.xml`]),
      ['rId90', 'theme', 'theme/theme1.xml'],
      ['rId91', 'slideMaster', 'slideMasters/slideMaster1.xml'],
    ),
    'ppt/theme/theme1.xml': `${declaration}<a:theme xmlns:a="${a}" name="T"><a:themeElements><a:clrScheme name="C"/><a:fontScheme name="F"><a:majorFont><a:latin typeface="A"/></a:majorFont><a:minorFont><a:latin typeface="A"/></a:minorFont></a:fontScheme></a:themeElements></a:theme>`,
    'ppt/slideMasters/slideMaster1.xml': part('sldMaster', tree('')),
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': relationships(['rId1', 'theme', '../theme/theme1.xml']),
    'ppt/slideLayouts/slideLayout1.xml': part('sldLayout', tree('')),
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relationships([
      'rId1',
      'slideMaster',
      '../slideMasters/slideMaster1.xml',
    ]),
  }
  for (const [index, { shapes, notes }] of slides.entries()) {
    const number = index + 1
    entries[`ppt/slides/slide${number}.xml`] = part('sld', tree(shapes))
    entries[`ppt/slides/_rels/slide${number}.xml.rels`] = relationships(
      ['rId1', 'slideLayout', '../slideLayouts/slideLayout1.xml'],
      ...(notes ? [['rId2', 'notesSlide', `../notesSlides/notesSlide${number}.xml`] as [string, string, string]] : []),
    )
    if (notes)
      entries[`ppt/notesSlides/notesSlide${number}.xml`] = part(
        'notes',
        tree(shapeOf(notes, { y: 0, properties: '<p:ph type="body" idx="1"/>' })),
      )
  }
  return zipOf(Object.entries(entries).map(([name, content]): ZipEntry => ({ name, content })))
}

/** A shape of paragraphs, as high on the slide as `y` says. */
export function shapeOf(text: string | string[], { y = 0, properties = '', bullets = false } = {}): string {
  const paragraphs = [text]
    .flat()
    .map(
      (line) =>
        `<a:p><a:pPr>${bullets ? '<a:buFont typeface="Arial"/><a:buChar char="•"/>' : ''}</a:pPr><a:r><a:rPr lang="en-US"/><a:t>${line}</a:t></a:r></a:p>`,
    )
  return `<p:sp><p:nvSpPr><p:cNvPr id="${y + 2}" name="Shape ${y}"/><p:cNvSpPr/><p:nvPr>${properties}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="${y * 100_000}"/><a:ext cx="900000" cy="90000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/>${paragraphs.join('')}</p:txBody></p:sp>`
}

/** A table of rows. */
export function slideTableOf(rows: string[][], y = 0): string {
  const cells = (row: string[]) =>
    row.map((cell) => `<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>${cell}</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>`)
  const lines = rows.map((row) => `<a:tr h="100">${cells(row).join('')}</a:tr>`)
  return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="99" name="Table"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="${y * 100_000}"/><a:ext cx="900000" cy="90000"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr/><a:tblGrid>${(rows[0] ?? []).map(() => '<a:gridCol w="100"/>').join('')}</a:tblGrid>${lines.join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
}
