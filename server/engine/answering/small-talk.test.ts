import { describe, expect, it } from 'vitest'
import { phraseLanguages, phrases } from './phrases'
import { replyToSmallTalk } from './small-talk'

describe('replyToSmallTalk', () => {
  it.each([
    ['Hi!', 'en'],
    ['Hello there 👋', 'en'],
    ['Guten Tag.', 'de'],
    ['¡Buenos días!', 'es'],
    ['Bonjour, comment allez-vous ?', 'fr'],
    ['Dzien dobry', 'pl'],
    ['Привет!', 'ru'],
  ] as const)('answers the greeting %s', (text, language) => {
    expect(replyToSmallTalk(text)).toBe(phrases[language].greetingReply)
  })

  it.each([
    ['Ok, thanks a lot!', 'en'],
    ['Hi, thank you very much', 'en'],
    ['Super, vielen Dank', 'de'],
    ['Muchas gracias', 'es'],
    ['Merci beaucoup !', 'fr'],
    ['Dziękuję bardzo', 'pl'],
    ['Большое спасибо', 'ru'],
  ] as const)('answers the thanks %s', (text, language) => {
    expect(replyToSmallTalk(text)).toBe(phrases[language].thanksReply)
  })

  it.each(['Hello, how do I clean it?', 'ok', 'yes', 'thanks page', 'Hi Fi', '', '?!', 'hi '.repeat(9)])(
    'leaves "%s" to the search',
    (text) => expect(replyToSmallTalk(text)).toBeNull(),
  )

  it('knows every phrase of every language', () => {
    for (const language of phraseLanguages) {
      const { greetings, thanks } = phrases[language]
      for (const phrase of [...greetings, ...thanks]) expect(replyToSmallTalk(phrase), phrase).not.toBeNull()
    }
  })
})
