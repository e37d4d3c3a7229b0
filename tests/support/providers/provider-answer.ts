/** Words that say nothing about a topic, so they decide nothing. */
const small = new Set(
  'a an and are can do does for from how i in is it of on or the there to what when where which who why with you'.split(
    ' ',
  ),
)

const data = /^BEGIN DATA \[(\d+)\] (\w+) .*\n([\s\S]*?)\nEND DATA \[\1\] \2$/gm

/**
 * Answers as a model would that only knows its prompt: of the first two fragments that share a word with the question, the
 * sentence that shares most, with the fragment's number; or that there is nothing to be found. Ends with the control line.
 */
export function answerFrom(messages: { role: string; content: string }[]): string {
  const last = messages.at(-1)?.content ?? ''
  const asked = wordsOf(last.split('\nQuestion:\n').at(-1) ?? last)
  const shared = (text: string) => [...wordsOf(text)].filter((word) => asked.has(word)).length
  const said = [...last.matchAll(data)].flatMap(([, number, , text = '']) => {
    const [best] = sentencesOf(text).sort((a, b) => shared(b) - shared(a))
    return best && shared(text) > 0 ? [`${best} [${number}]`] : []
  })
  const answer = said.slice(0, 2).join('\n\n')
  return answer ? `${answer}\n\n<<answered>>` : 'The fragments do not answer this question.\n\n<<not found>>'
}

function sentencesOf(text: string): string[] {
  return text
    .slice(text.indexOf('\n\n') + 2)
    .split(/\n+|(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 0)
}

function wordsOf(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => !small.has(word)))
}
