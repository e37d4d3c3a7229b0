import { describe, expect, it } from 'vitest'
import { chooseProposals, followUpQuestions, headingsOf, proposeQuestions } from './propose-questions'

const page = (title: string, headings: string[] = [], language = 'en') => ({ title, headings, language })
const textsOf = (...pages: ReturnType<typeof page>[]) => proposeQuestions(pages, []).map(({ text }) => text)

describe('proposeQuestions', () => {
  it('puts the questions of a FAQ before others, and titles last', () => {
    const faq = ['How long is the warranty?', 'Can I pay by invoice?', 'Do you ship to Norway?']
    expect(
      textsOf(page('Storm 40 outdoor lantern', ['What is in the box?']), page('Frequently asked questions', faq)),
    ).toEqual([...faq, 'What is in the box?', 'Storm 40 outdoor lantern', 'Frequently asked questions'])
  })

  it('takes turns among the pages', () => {
    const questions = (subject: string) => [
      `What is a ${subject} for?`,
      `How old is a ${subject}?`,
      `Who makes a ${subject}?`,
    ]
    expect(textsOf(page('One page', questions('lantern')), page('Two pages', questions('candle'))).slice(0, 3)).toEqual(
      ['What is a lantern for?', 'What is a candle for?', 'How old is a lantern?'],
    )
  })

  it('puts the titles that answers cite before others', () => {
    const pages = [page('About the workshop'), page('Shipping and returns')]
    expect(proposeQuestions(pages, ['Shipping and returns']).map(({ text }) => text)).toEqual([
      'Shipping and returns',
      'About the workshop',
    ])
  })

  it.each([
    'Still have questions?',
    'Do you have any questions?',
    'Ready to get started?',
    'Looking for a job with us?',
    'Need more help with this?',
    'Why us?',
    'Haben Sie noch Fragen zum Produkt?',
    '¿Tiene alguna pregunta sobre esto?',
    'Avez-vous encore des questions ?',
    'Masz jeszcze jakieś pytania do nas?',
    'Остались вопросы о товаре?',
    'Overview',
    'What we do',
    `What ${'very '.repeat(30)}long question is this?`,
  ])('does not propose %j, also of a FAQ', (heading) => {
    const faq = ['How long is the warranty?', 'Can I pay by invoice?', 'Do you ship to Norway?']
    expect(textsOf(page('Questions', [...faq, heading]))).toEqual(faq)
  })

  it.each([
    ['Wie lange gilt die Garantie?', 'de'],
    ['Bis wann kann ich zurückgeben?', 'de'],
    ['¿Cuánto tarda el envío?', 'es'],
    ['Combien coûte la livraison ?', 'fr'],
    ['Jak długo trwa dostawa?', 'pl'],
    ['Сколько стоит доставка?', 'ru'],
    ['送料はいくらですか？', 'ja'],
    ['如何退货和换货？', 'zh'],
    ['كم تستغرق مدة الشحن؟', 'ar'],
    ['How to change the battery', 'en'],
  ])('proposes %j', (heading, language) => {
    expect(proposeQuestions([page('', [heading], language)], [])).toEqual([{ text: heading, language }])
  })

  it('drops the number of a question', () => {
    expect(textsOf(page('', ['3. How long is the warranty?', 'Q: What is in the box?']))).toEqual([
      'How long is the warranty?',
      'What is in the box?',
    ])
  })

  it.each(['Privacy policy of our shop', 'Impressum und Kontakt', 'Log in to your account', 'Lamps | Harbour'])(
    'does not propose the title %j',
    (title) => {
      expect(textsOf(page(title))).toEqual([])
    },
  )
})

describe('chooseProposals', () => {
  const proposals = [
    { text: 'How long is the warranty?', language: 'en' },
    { text: 'Wie lange gilt die Garantie?', language: 'de' },
  ]

  it('chooses those in the language of the reader', () => {
    expect(chooseProposals(proposals, 'de-AT', 6)).toEqual(['Wie lange gilt die Garantie?'])
  })

  it.each([null, 'fr'])('chooses those in the language of the first for readers of %j', (language) => {
    expect(chooseProposals(proposals, language, 6)).toEqual(['How long is the warranty?'])
  })
})

describe('followUpQuestions', () => {
  it('leaves out what was asked, in other words as well', () => {
    const headings = ['How long is the warranty?', 'Who pays for the return?']
    expect(followUpQuestions([{ headings }], 'what warranty do I get, and how long?', 3)).toEqual([
      'Who pays for the return?',
    ])
  })
})

it('splits paths into headings', () => {
  expect(headingsOf(['Help / Returns', 'Help / Shipping', ''])).toEqual(['Help', 'Returns', 'Shipping'])
})
