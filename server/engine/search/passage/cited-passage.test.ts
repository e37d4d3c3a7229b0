import { expect, it } from 'vitest'
import { createTokenizer } from '../../../adapters/embedding/model-tokenizer'
import { citedPassage } from './cited-passage'

const tokenizer = createTokenizer('models/all-MiniLM-L6-v2')

const care = `Care of lamps
Lamps last for years. Brass lamps are wiped with a dry cloth, without vinegar. Glass shades go into the dishwasher. Cables must not be bent.
- Check the plug once a year.
- Replace bulbs of more than 40 watts.`
const prices = `Lamp | Price | Delivery
Storm 40 | €49 | two days
Harbour | €79 | five days
Meadow | €29 | two days`
const german = `Die Öffnungszeiten
Unser Laden ist von Montag bis Freitag von 9 bis 18 Uhr geöffnet. Am Samstag schließen wir um 14 Uhr. An Feiertagen bleibt er geschlossen.`
const code = `Install the package
Run the installer as root. Set LAMP_PORT=8080 before you start it. The log is in /var/log/lamp.log.`
const long = `${Array.from({ length: 30 }, (_, index) => `Sentence number ${index} says nothing of interest.`).join(' ')} The warranty covers five years from the date of purchase. ${'Nothing more follows here.'.repeat(3)}`

it.each<[what: string, text: string, claim: string, marked: string]>([
  [
    'prose',
    care,
    'You should wipe brass with a dry cloth .',
    'Brass lamps are wiped with a dry cloth, without vinegar.',
  ],
  ['another sentence', care, 'The glass can be washed in the dishwasher.', 'Glass shades go into the dishwasher.'],
  ['a list', care, 'Look at the plug yearly, once a year.', '- Check the plug once a year.'],
  ['a row', prices, 'The Harbour costs €79 .', 'Harbour | €79 | five days'],
  ['German', german, 'Samstags schließt der Laden um 14 Uhr.', 'Am Samstag schließen wir um 14 Uhr.'],
  ['an identifier', code, 'Set `LAMP_PORT` to 8080 first.', 'Set LAMP_PORT=8080 before you start it.'],
  [
    'far down',
    long,
    'There is a five year warranty from the purchase.',
    'The warranty covers five years from the date of purchase.',
  ],
  ['Chinese', '灯具保养。黄铜灯用干布擦拭。玻璃罩可以放入洗碗机。', '请用干布擦拭黄铜灯', '黄铜灯用干布擦拭。'],
])('finds the sentence of a claim in %s', async (_what, text, claim, marked) => {
  const passage = await citedPassage(text, claim, tokenizer, null)
  const [range] = passage?.highlights ?? []
  expect(passage?.text.slice(range?.[0], range?.[1])).toBe(marked)
  expect(passage?.text.length).toBeLessThan(800)
})

it('has a sentence before and after it, and the names of the columns before a row', async () => {
  expect((await citedPassage(care, 'Wipe brass with a dry cloth', tokenizer, null))?.text).toBe(
    'Lamps last for years. Brass lamps are wiped with a dry cloth, without vinegar. Glass shades go into the dishwasher.',
  )
  expect((await citedPassage(prices, 'Harbour is €79', tokenizer, null))?.text).toBe(
    'Lamp | Price | Delivery\nHarbour | €79 | five days',
  )
})

it('is the sentence nearest in meaning where no word is in common, and nothing without an embedder', async () => {
  const embed = async (text: string) =>
    Float32Array.of(/glass|Spülmaschine/i.test(text) ? 1 : 0, /glass|Spülmaschine/i.test(text) ? 0 : 1)
  const passage = await citedPassage(care, 'Schirme dürfen in die Spülmaschine', tokenizer, embed)
  expect(passage?.text).toContain('Glass shades')
  const [range] = passage?.highlights ?? []
  expect(passage?.text.slice(range?.[0], range?.[1])).toBe('Glass shades go into the dishwasher.')
  expect(await citedPassage(care, 'Schirme dürfen in die Spülmaschine', tokenizer, null)).toBeNull()
})
