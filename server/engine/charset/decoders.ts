/** Text of the bytes; `encoding` is a name that TextDecoder gives. */
export function decodeAs(encoding: string, body: Uint8Array): string {
  const text = new TextDecoder(encoding).decode(body)
  // Some versions of Node decode this as ISO-8859-1, which has control characters there.
  return encoding === 'windows-1252' ? text.replace(/[\x80-\x9f]/g, windowsSign) : text
}

/** What windows-1252 has at 0x80 to 0x9f; a full stop in the middle is a place that it leaves as it is. */
const windowsSigns = '€·‚ƒ„…†‡ˆ‰Š‹Œ·Ž··‘’“”•–—˜™š›œ·žŸ'

function windowsSign(sign: string): string {
  const meant = windowsSigns[sign.charCodeAt(0) - 0x80]
  return meant === undefined || meant === '·' ? sign : meant
}
