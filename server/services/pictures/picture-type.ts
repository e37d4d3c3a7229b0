import type { PictureType } from '../../../contract/values/limits'

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const jpeg = [0xff, 0xd8, 0xff]
const ico = [0x00, 0x00, 0x01, 0x00]

/** What an SVG picture has no use for: scripts, foreign content, and addresses of other files. */
const activeSvg = /<\s*(?:script|foreignObject|iframe|embed|object)\b|\son\w+\s*=|javascript:|<!ENTITY/i

/** The type of a picture by its first bytes, whatever its sender declares; null for any other content. */
export function pictureType(content: Uint8Array): PictureType | null {
  if (startsWith(content, png)) return 'image/png'
  if (startsWith(content, jpeg)) return 'image/jpeg'
  const text = latin1(content, 12)
  return text.startsWith('RIFF') && text.endsWith('WEBP') ? 'image/webp' : null
}

/** Whether this is an SVG picture without scripts, event handlers, embedded documents or entities. */
export function isSafeSvg(content: Uint8Array): boolean {
  const text = new TextDecoder().decode(content)
  return (
    /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!DOCTYPE svg[^>[]*>\s*)?<svg[\s>]/i.test(text) &&
    !activeSvg.test(text)
  )
}

/** Returns the media type of an icon: like `pictureType`, and also ICO, GIF and safe SVG; null for any other content. */
export function iconType(content: Uint8Array): string | null {
  const type = pictureType(content)
  if (type !== null) return type
  if (startsWith(content, ico)) return 'image/x-icon'
  if (/^GIF8[79]a/.test(latin1(content, 6))) return 'image/gif'
  return isSafeSvg(content) ? 'image/svg+xml' : null
}

function startsWith(content: Uint8Array, signature: number[]): boolean {
  return signature.every((byte, index) => content[index] === byte)
}

function latin1(content: Uint8Array, length: number): string {
  return new TextDecoder('latin1').decode(content.subarray(0, length))
}
