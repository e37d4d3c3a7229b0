import { describe, expect, it } from 'vitest'
import { nothingFoundReply } from './nothing-found'

const care = { url: 'https://lamps.example/care_(brass)', title: 'Care [brass] | Lamps (all)', language: 'en' }
const reply = (question: string, visitor: string | null = null) => nothingFoundReply(question, [], visitor)

describe('nothingFoundReply', () => {
  it('links to the nearest pages, each once', () => {
    const pages = [1, 2, 3].map((number) => ({ url: `https://lamps.example/${number}`, title: '', language: 'en' }))
    const file = { url: 'manual.pdf', title: 'Manual', language: 'en' }
    expect(nothingFoundReply('And tin?\nIs *brass* safe?', [file, care, care, ...pages], null)).toBe(
      `I couldn't find anything about this. These pages might help:

- [Care \\[brass\\] | Lamps (all)](https://lamps.example/care_%28brass%29)
- [https://lamps.example/1](https://lamps.example/1)
- [https://lamps.example/2](https://lamps.example/2)`,
    )
  })

  it.each([
    ['How much is it?', "couldn't find anything"],
    ['Was kostet das?', 'nichts gefunden'],
    ['¿Cuánto cuesta la lámpara?', 'No he encontrado'],
    ['Combien coûte la lampe ?', "Je n'ai rien trouvé"],
    ['Ile kosztuje ta lampa?', 'Nie udało mi się znaleźć nic'],
    ['Сколько стоит лампа?', 'найти не удалось'],
    ['Zyzzyva quokka', "couldn't find anything"],
    ['Quanto costa questa lampada e perché?', "couldn't find anything"],
  ])('speaks the language of "%s"', (question, sentence) => expect(reply(question)).toContain(sentence))

  it('offers pages in other languages only where there are none in that of the question', () => {
    const pages = ['de', 'en-GB', 'de', 'en', 'pl'].map((language, index) => {
      return { url: `https://lamps.example/${index}`, title: `${language} ${index}`, language }
    })
    const offered = (question: string, from: typeof pages) =>
      [...nothingFoundReply(question, from, null).matchAll(/\[(.*?)\]/g)].map(([, title]) => title)
    expect(offered('How much is it?', pages)).toEqual(['en-GB 1', 'en 3'])
    expect(offered('Ile kosztuje ta lampa?', pages)).toEqual(['pl 4'])
    expect(offered('Combien coûte la lampe ?', pages)).toEqual(['de 0', 'en-GB 1', 'de 2'])
  })

  it("speaks the visitor's language where the question shows none", () => {
    expect(reply('Zyzzyva quokka', 'de')).toContain('nichts gefunden')
    expect(reply('How much is it?', 'de')).toContain("couldn't find anything")
    expect(reply('Zyzzyva quokka', 'xx')).toContain("couldn't find anything")
  })
})
