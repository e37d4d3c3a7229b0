import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { failedMessage } from '../../contract/texts/chat/chat-failures'
import { incompleteAnswers } from '../../contract/texts/chat/message-status'
import { english, translate } from './texts'

const folder = 'widget/locales'
const locales = readdirSync(folder).map((name): [string, typeof english] => [
  name.slice(0, 2),
  JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')),
])

describe('the texts of the widget', () => {
  it.each(locales)('are complete in %s', (_, texts) => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort())
    for (const [key, text] of Object.entries(english))
      expect(texts[key as keyof typeof english].includes('%n'), key).toBe(text.includes('%n'))
  })

  it.each(locales)("have the server's sentences about a message in %s", (_, texts) => {
    for (const sentence of [failedMessage, ...Object.values(incompleteAnswers)]) {
      expect(translate(sentence, english)).toBe(sentence)
      expect(translate(sentence, texts)).not.toBe(sentence)
    }
  })

  it('show an unknown sentence of the server as it is', () => {
    expect(translate('Something else.', english)).toBe('Something else.')
  })
})
