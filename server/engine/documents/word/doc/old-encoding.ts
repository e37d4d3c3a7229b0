import { decodeAs } from '../../../charset/decoders'
import { detectEncoding } from '../../../charset/detect-charset'
import { UnreadableFile } from '../../format/unreadable-file'
import { encodingOfLanguage } from '../windows-languages'

/** Code pages that programs in another language wrote, too; those of other scripts had a version of Word of their own. */
const codePages = [1250, 1251, 1252, 1253, 1254, 1257].map((number) => `windows-${number}`)
const maxSampleBytes = 64 * 1024
/** Share of letters beyond ASCII in Latin text; Vietnamese has a third. */
const maxAccentedShare = 0.45
const minLetters = 8
/** Share of letters that are upper case after lower case, as where the cases of a script are swapped. */
const maxSwappedShare = 0.08
/** Bytes that the encoding does not assign, in relation to the letters. */
const maxUnassignedShare = 0.02

/**
 * Returns the encoding of the text of a Word 6 or 95 file, which does not say it: its language is often that of the
 * program. Throws UnreadableFile if the letters mean nothing in any.
 */
export function oldEncodingOf(languageId: number, chunks: Iterable<Uint8Array>): string {
  const declared = encodingOfLanguage(languageId)
  if (!codePages.includes(declared)) return declared
  const sample = sampleOf(chunks)
  if (sample.every((byte) => byte < 0x80)) return declared
  const encoding = detectEncoding(sample, codePages)
  if (isMeaningless(decodeAs(encoding, sample))) throw new UnreadableFile('file-encoding')
  return encoding
}

function sampleOf(chunks: Iterable<Uint8Array>): Uint8Array {
  const parts: Uint8Array[] = []
  let length = 0
  for (const chunk of chunks) {
    const part = chunk.subarray(0, maxSampleBytes - length)
    parts.push(part)
    length += part.length
    if (length >= maxSampleBytes) break
  }
  return Buffer.concat(parts)
}

/** Whether the letters are those of another encoding: accents on most of a Latin text, or capitals within words. */
function isMeaningless(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? []
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter))
  if (letters.length < minLetters) return false
  const unassigned = text.match(/\ufffd/g) ?? []
  if (unassigned.length > maxUnassignedShare * letters.length) return true
  const swapped = text.match(/(?<=\p{Ll})\p{Lu}/gu) ?? []
  const accented = latin.filter((letter) => letter > '\x7f')
  const isLatin = latin.length * 2 >= letters.length
  return (
    swapped.length > maxSwappedShare * letters.length || (isLatin && accented.length > maxAccentedShare * latin.length)
  )
}
