import { changedCMaps } from '../fonts/cmaps'
import { type PdfChange, placeBefore, withChanges } from './objects'

const fontShape = /\/Subtype\s{0,9}\/CIDFontType[02]\b/
/** Bytes from the start of a font to its type, and from there to its end. */
const farthest = 32 * 1024
const mostFonts = 1_000

/** The file with what pdfjs would stumble over written anew behind its end. What is encrypted is left as it is. */
export function mended(data: Buffer): Buffer {
  if (data.includes('/Encrypt')) return data
  return withChanges(data, [...changedCMaps(data), ...describedFonts(data)])
}

/**
 * Fonts of large character sets without a description, of which pdfjs takes every byte for a character: with one that says
 * next to nothing.
 */
function describedFonts(data: Buffer): PdfChange[] {
  const changes: PdfChange[] = []
  const key = '/CIDFontType'
  let at = data.indexOf(key)
  for (let left = mostFonts; at >= 0 && left > 0; left -= 1) {
    const place = placeBefore(data, at, farthest)
    const length = data.subarray(at, at + farthest).indexOf('endobj')
    const text = place && length >= 0 ? data.toString('latin1', place.at, at + length) : ''
    if (place && fontShape.test(text) && !/\/FontDescriptor\b|\bstream\b/.test(text)) {
      const content = text.replace(fontShape, '/FontDescriptor << /Flags 4 >> $&')
      changes.push({ ...place, content: Buffer.from(content, 'latin1') })
    }
    at = data.indexOf(key, at + key.length)
  }
  return changes
}
