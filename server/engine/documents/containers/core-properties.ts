import { readXml } from './xml-reader'
import type { ZipArchive } from './zip-archive'

/** Characters of a property. */
const maxLength = 1000

/** Reads the core properties of an Office file (title, creation, change) by their names, such as 'dc:title'. */
export async function readCoreProperties(zip: ZipArchive, part: string): Promise<Map<string, string>> {
  const properties = new Map<string, string>()
  let text = ''
  await readXml(zip.read(part), {
    open() {
      text = ''
    },
    text(chunk) {
      text += chunk.slice(0, maxLength - text.length)
    },
    close(name) {
      if (/^(dc|dcterms):/.test(name) && !properties.has(name)) properties.set(name, text.replace(/\s+/g, ' ').trim())
    },
  })
  return properties
}

/** Returns the time of a property in milliseconds since 1970; null for a missing or invalid one. */
export function timeOfProperty(date: string | undefined): number | null {
  const time = Date.parse(date ?? '')
  return Number.isNaN(time) ? null : time
}
