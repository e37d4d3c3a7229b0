import { expect, it } from 'vitest'
import { citingSentences } from './citing-sentences'

it.each<[what: string, answer: string, expected: Record<number, string>]>([
  [
    'before the period',
    'Wipe brass with a dry cloth [1]. Use no vinegar [2].',
    { 1: 'Wipe brass with a dry cloth .', 2: 'Use no vinegar .' },
  ],
  ['behind the period', 'Wipe it dry.[1] Use no vinegar. [2]', { 1: 'Wipe it dry.', 2: 'Use no vinegar.' }],
  ['as a link', 'Open on Sunday [1](https://a.example/x_(y)#z).', { 1: 'Open on Sunday .' }],
  ['two at once', 'Open on Sunday [1][2].', { 1: 'Open on Sunday .', 2: 'Open on Sunday .' }],
  ['in a list', '- Red lamps [1]\n- Blue lamps [2]', { 1: 'Red lamps', 2: 'Blue lamps' }],
  ['in bold', '**Wipe it** dry [3].', { 3: 'Wipe it  dry .' }],
  ['again', 'Open [1]. Closed on Monday [1].', { 1: 'Open . Closed on Monday .' }],
  ['on a line of its own', 'Open on Sunday.\n[1]', { 1: 'Open on Sunday.' }],
  ['within a sentence', 'It opens [1] at nine.', { 1: 'It opens  at nine.' }],
  ['in code', '```\nlist[1]\n```\nDone [2].', { 2: 'Done .' }],
  ['in Chinese', '黄铜灯用干布擦拭。[1] 不要用醋。[2]', { 1: '黄铜灯用干布擦拭。', 2: '不要用醋。' }],
  ['nowhere', 'No citation.', {}],
])('%s', (_what, answer, expected) => {
  const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  const found = Object.fromEntries([...citingSentences(answer)].map(([number, text]) => [number, squeeze(text)]))
  expect(found).toEqual(Object.fromEntries(Object.entries(expected).map(([number, text]) => [number, squeeze(text)])))
})
