import { describe, expect, it } from 'vitest'
import type { TermForm } from '../ranking/term-coverage'
import { choosePassages, type PassageSource } from './choose-passages'
import type { Passage } from './passage'

const tokenizer = { count: (text: string) => Math.ceil(text.length / 4) }
const noEmbedding = { vector: null, embed: null }

async function passageOf(
  source: Partial<PassageSource> & { text: string },
  forms: (TermForm | string)[],
  meaning: {
    vector: Float32Array | null
    embed: ((text: string) => Promise<Float32Array> | null) | null
  } = noEmbedding,
): Promise<Passage> {
  const query = {
    forms: forms.map((form) => (typeof form === 'string' ? { word: form } : form)),
    vector: meaning.vector,
  }
  const [passage] = await choosePassages(
    [{ innerHeadings: '', language: 'en', ...source }],
    query,
    tokenizer,
    meaning.embed,
  )
  if (!passage) throw new Error('No passage was returned.')
  return passage
}

const marked = ({ text, highlights }: Passage) => highlights.map(([start, end]) => text.slice(start, end))
const filler = 'The workshop lies at the harbour and has been run by the same family for a long time. '

describe('a passage of sentences', () => {
  it('is the window in which the words of the query occur most densely', async () => {
    const text = `${filler.repeat(4)}A battery costs money. ${filler.repeat(3)}Every battery has a warranty of two years. Keep the receipt. ${filler.repeat(4)}`
    const passage = await passageOf({ text }, ['warranty', 'battery'])
    expect(passage.text).toMatch(/^Every battery has a warranty of two years\. Keep the receipt\. The workshop/)
    expect(passage.text).toMatch(/\.$/)
    expect(passage.text.length).toBeLessThanOrEqual(320)
    expect(marked(passage)).toEqual(['battery', 'warranty'])
    expect(text).toContain(passage.text)
  })

  it('is the whole text if that is short', async () => {
    const text = 'Visit us\nMonday to Friday 9 to 17\nPhone: +48 22 123 45 67'
    expect((await passageOf({ text }, ['phone'])).text).toBe(text)
  })

  it('marks a Latin word within a script without spaces', async () => {
    const passage = await passageOf({ text: 'USB端子は充電に使います。' }, ['usb'])
    expect(marked(passage)).toEqual(['USB'])
  })

  it('marks forms and corrections of the words', async () => {
    const repaired = await passageOf({ text: 'We repaired both lamps.' }, ['repair', 'lamp'])
    expect(marked(repaired)).toEqual(['repaired', 'lamps'])
    const corrected = await passageOf({ text: 'The warranty is two years.' }, [{ word: 'warranty', weight: 0.6 }])
    expect(marked(corrected)).toEqual(['warranty'])
    const inflected = await passageOf({ text: 'Okres gwarancji wynosi dwa lata.', language: 'pl' }, ['gwarancja'])
    expect(marked(inflected)).toEqual(['gwarancji'])
  })

  it('marks longer words that start with a word, and none that only share its first letters', async () => {
    const completed = await passageOf({ text: 'The warranty is two years.' }, [{ word: 'warr', isPrefix: true }])
    expect(marked(completed)).toEqual(['warranty'])
    const text = 'Eine Taschenlampe, ein Schrank und eine Schraube.'
    expect(marked(await passageOf({ text, language: 'de' }, ['tasche', 'schrauben']))).toEqual([
      'Taschenlampe',
      'Schraube',
    ])
    expect(marked(await passageOf({ text, language: 'de' }, ['schranke']))).toEqual(['Schrank'])
    expect(marked(await passageOf({ text, language: 'de' }, ['schraubendreher']))).toEqual([])
  })

  it('marks characters of scripts without spaces', async () => {
    const passage = await passageOf({ text: 'このランプは安いです。', language: 'ja' }, ['ランプ'])
    expect(marked(passage)).toEqual(['ランプ'])
  })

  it('starts at the heading above its first match, and ends before the next section', async () => {
    const section = `Warranty\nAll lamps have a warranty of five years. ${filler}${filler}`
    const text = `${filler.repeat(5)}\n${section}\nReturns\n${filler.repeat(5)}`
    const passage = await passageOf({ text, innerHeadings: 'Warranty / Returns' }, ['warranty'])
    expect(passage.text).toBe(section.trim())
  })

  it('contains all words that fit, even if they are in two sections', async () => {
    const intro = 'A file can be a source of its own: a price list, a manual or a contract. '
    const text = `${intro}${filler}\nTypes and size\nYou can upload files of these types.\n${filler.repeat(9)}`
    const passage = await passageOf({ text, innerHeadings: 'Types and size' }, ['file', 'types', 'upload'])
    expect(passage.text).toMatch(/^Types and size\nYou can upload files of these types\.\nThe workshop/)
    const both = await passageOf({ text, innerHeadings: 'Types and size' }, ['contract', 'types', 'upload'])
    expect(both.text).toContain('contract')
    expect(both.text).toContain('You can upload')
  })

  it('shows the first of equal sentences', async () => {
    const text = `${filler.repeat(3)}The warranty is long. ${filler.repeat(5)}The warranty is short. ${filler.repeat(5)}`
    expect((await passageOf({ text }, ['warranty'])).text).toMatch(/^The warranty is long\./)
  })

  it('shortens a sentence that is too long, around its matches', async () => {
    const long = Array.from({ length: 120 }, (_, n) => `word${n}`).join(' ')
    const passage = await passageOf({ text: `${long} warranty years ${long}` }, ['warranty', 'years'])
    expect(passage.text).toMatch(/^… word\d+ .* warranty years .* word\d+ …$/)
    expect(passage.text.length).toBeLessThanOrEqual(320)
    expect((await passageOf({ text: 'x'.repeat(5_000) }, ['y'])).text.length).toBeLessThanOrEqual(320)
  })
})

describe('a passage of a table', () => {
  const rows = Array.from({ length: 40 }, (_, n) => `Lamp ${n} | ${n + 10}.00 € | 2 years`)
  const text = ['Product | Price | Warranty', ...rows, 'Storm lantern | 89.00 € | 5 years'].join('\n')

  it('has the header and the rows that match', async () => {
    const passage = await passageOf({ text }, ['storm', 'lantern', 'price'])
    expect(passage.text).toBe('Product | Price | Warranty\nStorm lantern | 89.00 € | 5 years')
    expect(marked(passage)).toEqual(['Price', 'Storm', 'lantern'])
  })

  it('has the header and the first rows if only the header matches', async () => {
    const { text: shown } = await passageOf({ text }, ['price'])
    expect(shown).toMatch(/^Product \| Price \| Warranty\nLamp 0 \|.*\nLamp 1 \|/)
    expect(shown.length).toBeLessThanOrEqual(320)
  })
})

describe('without a word in common', () => {
  const text = `${filler.repeat(4)}We refund what you paid within a fortnight. ${filler.repeat(4)}`
  const embed = async (sentence: string) => Float32Array.from(sentence.includes('refund') ? [1, 0] : [0.1, 0.9])

  it('the passage surrounds the sentence that is nearest in meaning', async () => {
    const passage = await passageOf({ text }, ['money', 'back'], { vector: Float32Array.from([1, 0]), embed })
    expect(passage.text).toContain('We refund what you paid')
    expect(passage.highlights).toEqual([])
  })

  it('the passage is the start of the text without an embedding', async () => {
    const passage = await passageOf({ text }, ['money', 'back'])
    expect(text.startsWith(passage.text)).toBe(true)
    expect(passage.text.length).toBeLessThanOrEqual(320)
  })

  it('the passage surrounds the nearest of the sentences that there was time to embed', async () => {
    let remaining = 2
    const asked: string[] = []
    const embedTwo = (sentence: string) => {
      asked.push(sentence)
      return remaining-- > 0 ? embed(sentence) : null
    }
    const vector = Float32Array.from([1, 0])
    expect((await passageOf({ text }, ['money', 'back'], { vector, embed: embedTwo })).text).toMatch(
      /^The workshop lies/,
    )
    expect(asked).toHaveLength(3)
  })

  it('a limited number of sentences is embedded', async () => {
    let embedded = 0
    const counting = async () => {
      embedded++
      return Float32Array.from([1, 0])
    }
    const sources = Array.from({ length: 25 }, () => ({ text, innerHeadings: '', language: 'en' }))
    const query = { forms: [{ word: 'money' }], vector: Float32Array.from([1, 0]) }
    const passages = await choosePassages(sources, query, tokenizer, counting)
    expect(passages).toHaveLength(25)
    expect(embedded).toBeLessThanOrEqual(24)
  })
})

it('a fragment without text has an empty passage', async () => {
  expect(await passageOf({ text: '' }, ['lamp'])).toEqual({ text: '', highlights: [] })
})
