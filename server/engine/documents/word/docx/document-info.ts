import { attributeOf, readXml } from '../../containers/xml-reader'
import type { ZipArchive } from '../../containers/zip-archive'
import type { FileFacts } from '../../ports'
import type { DocxParts } from './parts'

/** Characters of a title. */
const maxTitleLength = 1000

/** Reads the metadata of a file: its core properties, and the default language of its text. */
export async function readDocxFacts(zip: ZipArchive, parts: DocxParts, textLanguage: string): Promise<FileFacts> {
  const properties = parts.properties === null ? new Map<string, string>() : await readProperties(zip, parts.properties)
  const language = properties.get('dc:language') || textLanguage || (await readThemeLanguage(zip, parts.settings))
  return {
    title: properties.get('dc:title') ?? '',
    language: /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(language) ? language.toLowerCase() : '',
    publishedAt: timeOf(properties.get('dcterms:created')),
    modifiedAt: timeOf(properties.get('dcterms:modified')),
  }
}

async function readProperties(zip: ZipArchive, part: string): Promise<Map<string, string>> {
  const properties = new Map<string, string>()
  let text = ''
  await readXml(zip.read(part), {
    open() {
      text = ''
    },
    text(chunk) {
      text += chunk.slice(0, maxTitleLength - text.length)
    },
    close(name) {
      if (/^(dc|dcterms):/.test(name) && !properties.has(name)) properties.set(name, text.replace(/\s+/g, ' ').trim())
    },
  })
  return properties
}

async function readThemeLanguage(zip: ZipArchive, part: string | null): Promise<string> {
  let language = ''
  if (part === null) return language
  await readXml(zip.read(part), {
    open(element) {
      if (element.name === 'w:themeFontLang') language ||= attributeOf(element, 'val') ?? ''
    },
  })
  return language
}

function timeOf(date: string | undefined): number | null {
  const time = Date.parse(date ?? '')
  return Number.isNaN(time) ? null : time
}
