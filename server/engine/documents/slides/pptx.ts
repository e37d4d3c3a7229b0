import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Element, Slide } from 'pptxtojson'
import { blocksOf } from '../../html/blocks/blocks'
import { parsePage } from '../../html/dom/parse'
import type { Block } from '../../ports/extractor'
import { readCoreProperties, timeOfProperty } from '../containers/core-properties'
import { openZip, type ZipArchive } from '../containers/zip-archive'
import { catchUnreadable, UnreadableFile } from '../format/unreadable-file'
import type { FileFacts, FileFormat, FilePart } from '../ports'

const require = createRequire(import.meta.url)

/** Characters of the title of a slide. */
const maxTitleLength = 150

/**
 * Reads a presentation: each slide is a section under its title, with its texts and tables in reading order, and the notes of
 * the speaker. Anchors are the numbers of the slides, as pages. Charts and pictures have no text.
 */
export const readPptx: FileFormat = (path) => catchUnreadable(readParts(path))

async function* readParts(path: string): AsyncGenerator<FilePart> {
  // The limits of the archive are checked before the library unpacks it.
  const zip = await openZip(path)
  try {
    yield { kind: 'facts', facts: await readFacts(zip) }
  } finally {
    zip.close()
  }
  const slides = await readSlides(path)
  for (const [index, slide] of slides.entries()) {
    const blocks = blocksOfSlide(slide, `page=${index + 1}`)
    if (blocks.length > 0) yield { kind: 'blocks', blocks }
    yield { kind: 'progress', done: index + 1, total: slides.length }
  }
}

async function readFacts(zip: ZipArchive): Promise<FileFacts> {
  const part = zip.find('docProps/core.xml')
  const properties = part === null ? new Map<string, string>() : await readCoreProperties(zip, part)
  const title = properties.get('dc:title') ?? ''
  return {
    title: /^power ?point[ -]|^(?:presentation|präsentation|présentation|slide)\s*\d*$/i.test(title) ? '' : title,
    language: '',
    publishedAt: timeOfProperty(properties.get('dcterms:created')),
    modifiedAt: timeOfProperty(properties.get('dcterms:modified')),
  }
}

async function readSlides(path: string): Promise<Slide[]> {
  // The entry that its package names is not for Node.
  const { parse }: typeof import('pptxtojson') = require('pptxtojson/dist/index.cjs')
  const { buffer, byteOffset, byteLength } = await readFile(path)
  try {
    const none = { imageMode: 'none', videoMode: 'none', audioMode: 'none' } as const
    return (await parse(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer, none)).slides
  } catch {
    throw new UnreadableFile('file-broken')
  }
}

function blocksOfSlide({ elements, note }: Slide, anchor: string): Block[] {
  const ordered = elements.toSorted((one, other) => one.top - other.top || one.left - other.left)
  const blocks = ordered.flatMap(blocksOfElement)
  const notes = blocksOfHtml(note)
  const title = blocks.findIndex(isTitle)
  const [heading] = title < 0 ? [] : blocks.splice(title, 1)
  const all: Block[] = [
    ...(heading ? [{ kind: 'heading' as const, level: 1, text: heading.text, anchor }] : []),
    ...blocks,
    ...notes,
  ]
  return all.map((block) => ({ ...block, anchor }))
}

/** The first text of a slide, if it is a line. */
function isTitle({ kind, text }: Block, index: number): boolean {
  return index === 0 && kind === 'paragraph' && text.length <= maxTitleLength && !text.includes('\n')
}

function blocksOfElement(element: Element): Block[] {
  switch (element.type) {
    case 'text':
    case 'shape':
      return blocksOfHtml(element.content)
    case 'table':
      return blocksOfHtml(tableOf(element.data.map((row) => row.map(({ text }) => text))))
    case 'math':
      return element.text ? [{ kind: 'paragraph', text: element.text, anchor: null }] : []
    case 'group':
    case 'diagram':
      return element.elements.flatMap(blocksOfElement)
    default:
      return []
  }
}

function tableOf(rows: string[][]): string {
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  return `<table>${lines.join('')}</table>`
}

function blocksOfHtml(html: string | undefined): Block[] {
  return html ? blocksOf(parsePage(html).body) : []
}
