import { appendUpdates, objectBefore, type PdfObjectUpdate } from './file/objects'
import { patchCMaps } from './fonts/cmaps'

const compositeFont = /\/Subtype\s{0,9}\/CIDFontType[02]\b/
/** Bytes from the start of a font object to its type, and from there to its end. */
const maxDistance = 32 * 1024
const maxFonts = 1_000

/** Works around defects that pdfjs cannot handle, by an incremental update. Encrypted files are returned unchanged. */
export function patchPdf(data: Buffer): Buffer {
  if (data.includes('/Encrypt')) return data
  return appendUpdates(data, [...patchCMaps(data), ...addDescriptors(data)])
}

/** Adds a minimal descriptor to composite fonts without one, of which pdfjs would read every byte as a character. */
function addDescriptors(data: Buffer): PdfObjectUpdate[] {
  const changes: PdfObjectUpdate[] = []
  const key = '/CIDFontType'
  let position = data.indexOf(key)
  for (let remaining = maxFonts; position >= 0 && remaining > 0; remaining -= 1) {
    const object = objectBefore(data, position, maxDistance)
    const length = data.subarray(position, position + maxDistance).indexOf('endobj')
    const text = object && length >= 0 ? data.toString('latin1', object.at, position + length) : ''
    if (object && compositeFont.test(text) && !/\/FontDescriptor\b|\bstream\b/.test(text)) {
      const content = text.replace(compositeFont, '/FontDescriptor << /Flags 4 >> $&')
      changes.push({ ...object, content: Buffer.from(content, 'latin1') })
    }
    position = data.indexOf(key, position + key.length)
  }
  return changes
}
