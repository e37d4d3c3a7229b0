import type { PictureType } from '../../../contract/values/limits'

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const jpeg = [0xff, 0xd8, 0xff]

/** The type of a picture by its first bytes, whatever its sender declares; null for any other content. */
export function pictureType(content: Uint8Array): PictureType | null {
  if (startsWith(content, png)) return 'image/png'
  if (startsWith(content, jpeg)) return 'image/jpeg'
  const text = new TextDecoder('latin1').decode(content.subarray(0, 12))
  return text.startsWith('RIFF') && text.endsWith('WEBP') ? 'image/webp' : null
}

function startsWith(content: Uint8Array, signature: number[]): boolean {
  return signature.every((byte, index) => content[index] === byte)
}
