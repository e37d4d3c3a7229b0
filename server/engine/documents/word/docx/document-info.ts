import { readCoreProperties, timeOfProperty } from '../../containers/core-properties'
import { attributeOf, readXml } from '../../containers/xml-reader'
import type { ZipArchive } from '../../containers/zip-archive'
import type { FileFacts } from '../../ports'
import type { DocxParts } from './parts'

/** Reads the metadata of a file: its core properties, and the default language of its text. */
export async function readDocxFacts(zip: ZipArchive, parts: DocxParts, textLanguage: string): Promise<FileFacts> {
  const properties =
    parts.properties === null ? new Map<string, string>() : await readCoreProperties(zip, parts.properties)
  const language = properties.get('dc:language') || textLanguage || (await readThemeLanguage(zip, parts.settings))
  return {
    title: properties.get('dc:title') ?? '',
    language: /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(language) ? language.toLowerCase() : '',
    publishedAt: timeOfProperty(properties.get('dcterms:created')),
    modifiedAt: timeOfProperty(properties.get('dcterms:modified')),
  }
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
