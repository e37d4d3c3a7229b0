/** Words of a label before a title, as in 'Title is: Borders'. */
const maxLabelWords = 2
/** Longer labels, with the punctuation around the title, are text. Saves normalizing each fragment. */
const maxLabelLength = 100

/** Whether a text only repeats the title of its document, with or without a label. */
export function repeatsTitle(text: string, title: string): boolean {
  if (text.length > title.length + maxLabelLength) return false
  const name = normalize(title)
  if (name === '') return false
  if (normalize(text) === name) return true
  const colon = text.search(/[:：]/)
  if (colon < 0 || normalize(text.slice(colon + 1)) !== name) return false
  return normalize(text.slice(0, colon)).split(' ').length <= maxLabelWords
}

function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}
