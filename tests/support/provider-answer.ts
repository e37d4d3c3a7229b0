/** Words that say nothing about a topic, so they decide nothing. */
const small = new Set(
  'a an and are can do does for from how i in is it of on or the there to what when where which who why with you'.split(
    ' ',
  ),
)

/**
 * Answers as a model would that only knows its prompt: the sentences of the fragments that share most words with the
 * question, each with its number, or that there is nothing to be found.
 */
export function answerFrom(messages: { role: string; content: string }[]): string {
  const last = messages.at(-1)?.content ?? ''
  const question = last.split('\nQuestion:\n').at(-1) ?? last
  const asked = wordsOf(question)
  const sentences = [...last.matchAll(/^BEGIN DATA \[(\d+)\] (\w+) .*\n([\s\S]*?)\nEND DATA \[\1\] \2$/gm)].flatMap(
    ([, number, , data = '']) =>
      sentencesOf(data).map((text) => ({
        number,
        text,
        shared: [...wordsOf(text)].filter((word) => asked.has(word)).length,
      })),
  )
  const best = sentences.sort((a, b) => b.shared - a.shared || Number(a.number) - Number(b.number)).slice(0, 2)
  if (best.length === 0 || best[0]?.shared === 0) return 'The fragments do not answer this question.'
  return best
    .filter(({ shared }) => shared > 0)
    .map(({ text, number }) => `${text} [${number}]`)
    .join('\n\n')
}

function sentencesOf(data: string): string[] {
  const text = data.slice(data.indexOf('\n\n') + 2)
  return text
    .split(/\n+|(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 0)
}

function wordsOf(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => !small.has(word)))
}
