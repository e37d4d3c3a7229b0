import { describe, expect, it } from 'vitest'
import { createAnswerReader } from './answer-reader'

const links = ['https://a.example/1#x', 'https://a.example/two_(2)', null, 'https://a.example/4']
const first = '[1](https://a.example/1#x)'
const second = '[2](https://a.example/two_%282%29)'

function read(parts: Iterable<string>) {
  const reader = createAnswerReader(links)
  const pushed = [...parts].map((part) => reader.push(part))
  const text = [...pushed, reader.end()].join('')
  return { text, pushed, cited: reader.cited, verdict: reader.verdict }
}

const cases: [name: string, text: string, expected: string, cited: number[]][] = [
  ['links a number', 'Wipe it dry [1].', `Wipe it dry ${first}.`, [1]],
  ['escapes parentheses in addresses', 'Dry [2].', `Dry ${second}.`, [2]],
  ['links adjacent numbers', 'Dry [1][2].', `Dry ${first}${second}.`, [1, 2]],
  ['links a list of numbers', 'Dry [2, 1].', `Dry ${second}${first}.`, [2, 1]],
  ['links a range', 'Dry [1-2].', `Dry ${first}${second}.`, [1, 2]],
  ['keeps the number of a file', 'Dry [3].', 'Dry [3].', [3]],
  ['removes a number that was not given', 'Dry [9], then [0] wax.', 'Dry, then wax.', []],
  ['keeps the given numbers of a list', 'Dry [1, 9].', `Dry ${first}.`, [1]],
  ['replaces an address of the model', 'Dry [1](https://evil.example/a(b)).', `Dry ${first}.`, [1]],
  [
    'reads a citation in two brackets',
    'Dry [[1]](https://evil.example). [[2]] [[x]]',
    `Dry ${first}. ${second} [[x]]`,
    [1, 2],
  ],
  ['keeps an unfinished citation in two brackets', 'Dry [[1]', `Dry [${first}`, [1]],
  ['does not create an image', 'Dry![1]', `Dry! ${first}`, [1]],
  ['keeps inline code', 'Take `list[1]` and ``a`[1]`` [1].', `Take \`list[1]\` and \`\`a\`[1]\`\` ${first}.`, [1]],
  ['links after a lone backtick', 'A ` [1].\n\nNext.', `A \` ${first}.\n\nNext.`, [1]],
  [
    'keeps a code block',
    'So:\n\n```js\na[1]\n``\n~~~\n```\nDone [1].',
    `So:\n\n\`\`\`js\na[1]\n\`\`\n~~~\n\`\`\`\nDone ${first}.`,
    [1],
  ],
  [
    'keeps an indented code block of tildes',
    '- So:\n  ~~~\n  a[1]\n  ~~~\n  [1]',
    `- So:\n  ~~~\n  a[1]\n  ~~~\n  ${first}`,
    [1],
  ],
  [
    'keeps other brackets',
    '[x] [ ] [2024] [^1] [a](https://b.example) []',
    '[x] [ ] [2024] [^1] [a](https://b.example) []',
    [],
  ],
  ['keeps an unfinished bracket', 'Dry [1', 'Dry [1', []],
  ['links a number before an unfinished parenthesis', 'Dry [1](see\nbelow', `Dry ${first}(see\nbelow`, [1]],
  [
    'lists each number once, in the order of the text',
    '[4] [1] [4]',
    `[4](https://a.example/4) ${first} [4](https://a.example/4)`,
    [4, 1],
  ],
  ['keeps comparisons', 'a < b << c <d', 'a < b << c <d', []],
  ['trims the answer', '\n\n Dry. \n', 'Dry.', []],
]

describe('createAnswerReader', () => {
  it.each(cases)('%s, at once and in parts', (_, text, expected, cited) => {
    expect(read([text])).toMatchObject({ text: expected, cited })
    expect(read(text)).toMatchObject({ text: expected, cited })
    for (let index = 1; index < text.length; index++) {
      expect(read([text.slice(0, index), text.slice(index)])).toMatchObject({ text: expected, cited })
    }
  })

  it.each([
    ['<<answered>>', 'answered'],
    ['<<partly>>', 'partly'],
    ['<< Not found >>', 'not-found'],
    ['<<not_found>>', 'not-found'],
    ['`<<answered>>`', 'answered'],
  ])('withholds the control line %s', (line, verdict) => {
    for (const text of [`Dry [1].\n\n${line}`, `Dry [1]. ${line}\n`]) {
      expect(read([text])).toMatchObject({ text: `Dry ${first}.`, verdict })
      const parts = read(text)
      expect(parts).toMatchObject({ text: `Dry ${first}.`, verdict })
      expect(parts.pushed.join('')).not.toContain('<')
    }
    expect(read([`${line}\nDry.`])).toMatchObject({ text: 'Dry.', verdict })
  })

  it.each([
    ['**<<answered>>**', 'answered'],
    ['- <<not found>>', 'not-found'],
    ['> <<partly>>', 'partly'],
    ['```\n<<answered>>\n```', 'answered'],
    ['~~~text\n\n<<answered>>\n\n~~~\n', 'answered'],
    ['```\n<<answered>>', 'answered'],
    ['<<answered.>>', 'answered'],
    ['<<answered>>.', 'answered'],
    ['\\<\\<answered\\>\\>', 'answered'],
    ['\\<<answered\\>>', 'answered'],
    ['<answered>', 'answered'],
    ['`<not found>`', 'not-found'],
    ['<<unanswered>>', null],
    ['<unanswered>', null],
    ['<<beantwortet>>', null],
    ['**<<beantw', null],
  ])('withholds a last line like %j', (line, verdict) => {
    const text = `- Wipe it.\n\n<div>\n**Dry** [1].\n\n${line}`
    const expected = { text: `- Wipe it.\n\n<div>\n**Dry** ${first}.`, verdict }
    expect(read([text])).toMatchObject(expected)
    const parts = read(text)
    expect(parts).toMatchObject(expected)
    expect(parts.pushed.join('')).not.toMatch(/answered|found|partly|beantw/)
    for (let index = 1; index < text.length; index++) {
      expect(read([text.slice(0, index), text.slice(index)])).toMatchObject(expected)
    }
  })

  it.each([
    ['**<<answered>>**', 'answered'],
    ['*<<Partly>>*', 'partly'],
    ['__<<not found>>__', 'not-found'],
    ['***<<answered>>***', 'answered'],
    ['**`<<answered>>`**', 'answered'],
    ['(<<answered>>)', 'answered'],
    ['~~<<answered>>~~', 'answered'],
    ['**<<answered>>', 'answered'],
  ])('withholds the decoration of %s on a line with text', (word, verdict) => {
    for (const text of [`Dry **it** [1]. ${word}`, `Dry **it** [1].${word}\n`, `${word} Dry **it** [1].`]) {
      const expected = { text: `Dry **it** ${first}.`, verdict }
      expect(read([text])).toMatchObject(expected)
      expect(read(text)).toMatchObject(expected)
      for (let index = 1; index < text.length; index++) {
        expect(read([text.slice(0, index), text.slice(index)])).toMatchObject(expected)
      }
    }
  })

  it('keeps emphasis that belongs to the text', () => {
    expect(read('**Dry it. <<answered>>**').text).toBe('**Dry it.**')
    for (const text of ['a_b **c** (d) ~~e~~ *', '**<b>**', 'f(a < b) __', '2 * 3 ** 4 (`x`)', '**']) {
      expect(read([text])).toMatchObject({ text, verdict: null })
      expect(read(text)).toMatchObject({ text, verdict: null })
    }
  })

  it.each(['```js\na[1]\n```\n<<answered>>', '```js\na[1]\n<<answered>>\n```', '```js\na[1]\n<<answered>>'])(
    'closes a code block before the control line: %j',
    (text) => {
      const expected = { text: '```js\na[1]\n```', verdict: 'answered' }
      expect(read([text])).toMatchObject(expected)
      expect(read(text)).toMatchObject(expected)
    },
  )

  it.each([
    'Use:\n\n- `<header>`\n- `<footer>`',
    '```html\n<p>\nDry.\n</p>\n```',
    'So:\n\n<div>\n\nDry.',
    'So:\n\n<<Name>>\n\nDry.',
    'See\n<https://a.example>',
    'Dry.\n\n---',
    '- a\n-',
  ])('keeps tags, generics and decoration: %j', (text) => {
    expect(read([text])).toMatchObject({ text, verdict: null })
    expect(read(text)).toMatchObject({ text, verdict: null })
  })

  it('has no verdict without a control line, and withholds one that is cut off', () => {
    expect(read(['Dry.'])).toMatchObject({ text: 'Dry.', verdict: null })
    expect(read(['Dry.\n<<not fo'])).toMatchObject({ text: 'Dry.', verdict: null })
  })

  it('keeps a control line in code before the end', () => {
    const text = '```\n<<answered>>\n```\nDry.'
    expect(read([text])).toMatchObject({ text, verdict: null })
    expect(read(text)).toMatchObject({ text, verdict: null })
    expect(read(['Use `<<` here.'])).toMatchObject({ text: 'Use `<<` here.', verdict: null })
  })

  it('returns words as they arrive, and a citation in one part', () => {
    const reader = createAnswerReader(links)
    expect(['Dry', ' it', ' [', '1', ']', '. Then'].map((part) => reader.push(part))).toEqual([
      'Dry',
      ' it',
      '',
      '',
      '',
      ` ${first}. Then`,
    ])
  })

  it('reads a long text without structure in one pass', () => {
    const text = '`[<'.repeat(30_000)
    expect(read([text]).text).toHaveLength(text.length)
  })
})
