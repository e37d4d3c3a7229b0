import { splitSentences } from '../search/passage/sentences'

const citation = /\[(\d{1,2})\](?:\(((?:[^()\s]|\([^()\s]*\))*)\))?/g
const markup = /[*_`~>#|]+|^\s*(?:[-+]|\d+[.)])\s+/g
const codeFence = /^\s*(?:```|~~~)/

/**
 * What an answer says with each cited number: its sentences that end with the citation, or contain it, as plain text.
 * Numbers without such a sentence are left out. Code is not read.
 */
export function citingSentences(answer: string): Map<number, string> {
  const found = new Map<number, string[]>()
  let isCode = false
  let before = ''
  for (const line of answer.split('\n')) {
    if (codeFence.test(line)) {
      isCode = !isCode
      continue
    }
    if (isCode) continue
    const { text, marks } = withoutCitations(line)
    const sentences = splitSentences(text, '').map(({ start, end }) => ({ start, end, text: text.slice(start, end) }))
    for (const { number, at } of marks) {
      // A citation behind a period belongs to the sentence before it.
      const sentence = sentences.findLast(({ start }) => start < at)?.text ?? sentences[0]?.text ?? before
      if (sentence === '') continue
      const said = found.get(number) ?? []
      if (!said.includes(sentence)) found.set(number, [...said, sentence])
    }
    before = sentences.at(-1)?.text ?? before
  }
  return new Map([...found].map(([number, sentences]) => [number, sentences.join(' ')]))
}

/** The text of a line with the places of its citations. */
function withoutCitations(line: string): { text: string; marks: { number: number; at: number }[] } {
  const marks: { number: number; at: number }[] = []
  let text = ''
  let from = 0
  for (const match of line.matchAll(citation)) {
    text += plain(line.slice(from, match.index))
    marks.push({ number: Number(match[1]), at: text.trimEnd().length })
    from = match.index + match[0].length
  }
  return { text: text + plain(line.slice(from)), marks }
}

function plain(text: string): string {
  return text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(markup, ' ')
}
