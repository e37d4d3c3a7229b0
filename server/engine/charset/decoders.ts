/** Decodes bytes; `encoding` is a canonical name of TextDecoder. */
export function decodeAs(encoding: string, body: Uint8Array): string {
  const text = new TextDecoder(encoding).decode(body)
  // Some versions of Node decode windows-1252 as ISO-8859-1, which has control characters at 0x80 to 0x9f.
  return encoding === 'windows-1252' ? text.replace(/[\x80-\x9f]/g, windowsCharacter) : text
}

/** Characters of windows-1252 at 0x80 to 0x9f; a middle dot marks an unassigned code. */
const windowsCharacters = '€·‚ƒ„…†‡ˆ‰Š‹Œ·Ž··‘’“”•–—˜™š›œ·žŸ'

function windowsCharacter(character: string): string {
  const mapped = windowsCharacters[character.charCodeAt(0) - 0x80]
  return mapped === undefined || mapped === '·' ? character : mapped
}
