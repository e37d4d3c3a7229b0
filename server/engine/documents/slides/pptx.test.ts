import { expect, it } from 'vitest'
import { partsOf } from '../../../../tests/support/files/file-parts'
import { pptxOf, shapeOf, slideTableOf } from '../../../../tests/support/files/pptx'
import { readPptx } from './pptx'

const read = (...source: Parameters<typeof pptxOf>) => partsOf(readPptx, pptxOf(...source))

it('reads slides as sections, with their texts in reading order, tables and notes', async () => {
  const { blocks, facts } = await read(
    [
      {
        shapes:
          shapeOf(['Open the tank', 'Use a funnel'], { y: 20, bullets: true }) +
          shapeOf('How to fill a lamp', { y: 1 }) +
          shapeOf('Oil is hot &amp; dangerous.', { y: 40 }),
        notes: 'Say that twice.',
      },
      {
        shapes:
          shapeOf('Prices', { y: 1 }) +
          slideTableOf(
            [
              ['Lamp', 'Price'],
              ['Brass', '12'],
            ],
            10,
          ),
      },
    ],
    'Storm lamps',
  )
  expect(facts?.title).toBe('Storm lamps')
  expect(blocks.map(({ kind, text, anchor }) => [kind, text, anchor])).toEqual([
    ['heading', 'How to fill a lamp', 'page=1'],
    ['list', '- Open the tank\n- Use a funnel', 'page=1'],
    ['paragraph', 'Oil is hot & dangerous.', 'page=1'],
    ['paragraph', 'Say that twice.', 'page=1'],
    ['heading', 'Prices', 'page=2'],
    ['table', 'Lamp | Price\nBrass | 12', 'page=2'],
  ])
})

it('ignores titles that programs set', async () => {
  const slides = [{ shapes: shapeOf('Lamps') }]
  for (const title of ['PowerPoint Presentation', 'Präsentation1', 'Slide 1'])
    expect((await read(slides, title)).facts?.title).toBe('')
})

it('refuses what is no presentation', async () => {
  expect((await partsOf(readPptx, Buffer.from('PK no archive'))).refused).toBe('file-broken')
})
