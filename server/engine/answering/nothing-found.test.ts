import { describe, expect, it } from 'vitest'
import { nothingFoundReply } from './nothing-found'

const care = { url: 'https://lamps.example/care_(brass)', title: 'Care [brass]' }
const reply = (question: string, visitor: string | null = null) => nothingFoundReply(question, question, [], visitor)

describe('nothingFoundReply', () => {
  it('names what was searched, and links to the nearest pages, each once', () => {
    const pages = [1, 2, 3].map((number) => ({ url: `https://lamps.example/${number}`, title: '' }))
    const file = { url: 'manual.pdf', title: 'Manual' }
    expect(nothingFoundReply('And tin?', 'And tin?\nIs *brass* safe?', [file, care, care, ...pages], null)).toBe(
      `I found no answer to this. I searched for “And tin? Is \\*brass\\* safe?”.

These pages come closest:

- [Care \\[brass\\]](https://lamps.example/care_%28brass%29)
- [https://lamps.example/1](https://lamps.example/1)
- [https://lamps.example/2](https://lamps.example/2)`,
    )
  })

  it.each([
    ['How much is it?', 'I found no answer'],
    ['Was kostet das?', 'keine Antwort gefunden'],
    ['¿Cuánto cuesta la lámpara?', 'No he encontrado'],
    ['Combien coûte la lampe ?', "Je n'ai pas trouvé"],
    ['Ile kosztuje ta lampa?', 'Nie ma tu odpowiedzi'],
    ['Сколько стоит лампа?', 'не нашлось'],
    ['Zyzzyva quokka', 'I found no answer'],
    ['Quanto costa questa lampada e perché?', 'I found no answer'],
  ])('speaks the language of "%s"', (question, sentence) => expect(reply(question)).toContain(sentence))

  it("speaks the visitor's language where the question shows none", () => {
    expect(reply('Zyzzyva quokka', 'de')).toContain('keine Antwort gefunden')
    expect(reply('How much is it?', 'de')).toContain('I found no answer')
    expect(reply('Zyzzyva quokka', 'xx')).toContain('I found no answer')
  })
})
