import { attributeOf, readWholeXml } from '../../containers/xml-reader'
import type { ZipArchive } from '../../containers/zip-archive'
import type { FileFacts } from '../../ports'
import type { DocxParts } from './parts'

/** Longer titles are cut. */
const longestTitle = 1000

/** What the file says of itself: its core properties, and the language that its text is in unless marked otherwise. */
export async function readDocxFacts(zip: ZipArchive, parts: DocxParts, textLanguage: string): Promise<FileFacts> {
  const said = parts.properties === null ? new Map<string, string>() : await readProperties(zip, parts.properties)
  const language = said.get('dc:language') || textLanguage || (await readThemeLanguage(zip, parts.settings))
  return {
    title: said.get('dc:title') ?? '',
    language: /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(language) ? language.toLowerCase() : '',
    publishedAt: timeOf(said.get('dcterms:created')),
    modifiedAt: timeOf(said.get('dcterms:modified')),
  }
}

async function readProperties(zip: ZipArchive, part: string): Promise<Map<string, string>> {
  const said = new Map<string, string>()
  let text = ''
  await readWholeXml(zip.read(part), {
    open() {
      text = ''
    },
    text(piece) {
      text += piece.slice(0, longestTitle - text.length)
    },
    close(name) {
      if (/^(dc|dcterms):/.test(name) && !said.has(name)) said.set(name, text.replace(/\s+/g, ' ').trim())
    },
  })
  return said
}

async function readThemeLanguage(zip: ZipArchive, part: string | null): Promise<string> {
  let language = ''
  if (part === null) return language
  await readWholeXml(zip.read(part), {
    open(element) {
      if (element.name === 'w:themeFontLang') language ||= attributeOf(element, 'val') ?? ''
    },
  })
  return language
}

function timeOf(said: string | undefined): number | null {
  const time = Date.parse(said ?? '')
  return Number.isNaN(time) ? null : time
}
