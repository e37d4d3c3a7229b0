/** Words of a label before a title, as in 'Title is: Borders'. */
const maxLabelWords = 2

/** How a text repeats the title of its document: 'exact', or after a label; null if it says something else. */
export function repetitionOfTitle(text: string, title: string): 'exact' | 'labelled' | null {
  const name = normalize(title)
  if (name === '') return null
  if (normalize(text) === name) return 'exact'
  const colon = text.search(/[:：]/)
  if (colon < 0 || normalize(text.slice(colon + 1)) !== name) return null
  const words = normalize(text.slice(0, colon)).split(' ')
  return words.length <= maxLabelWords ? 'labelled' : null
}

function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}
