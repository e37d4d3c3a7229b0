const maxTitleLength = 80

/** Returns the title of a thread: the first line of its first question, cut between words to 80 characters. */
export function threadTitle(question: string): string {
  const line = (question.trim().split(/[\r\n\u2028\u2029]/, 1)[0] ?? '').replace(/\s+/g, ' ').trim()
  if (line.length <= maxTitleLength) return line
  const start = line.slice(0, maxTitleLength)
  const space = start.lastIndexOf(' ')
  // A very long word, and text without spaces, is cut between characters, never inside a surrogate pair.
  const cut = space > maxTitleLength / 2 ? start.slice(0, space) : start.slice(0, -1).replace(/[\ud800-\udbff]$/, '')
  return `${cut.replace(/[\s,;:–-]+$/, '')}…`
}
