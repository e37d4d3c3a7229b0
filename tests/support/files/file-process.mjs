// Replaces the process that reads a file: does what the name of the file says.
import { createInterface } from 'node:readline'

const facts = {
  kind: 'facts',
  facts: { title: 'Lamps', language: 'en', publishedAt: null, modifiedAt: null },
}
const hash = 'a'.repeat(64)
/** @param {number} ordinal @param {string} text */
const fragment = (ordinal, text) => ({
  ...{ ordinal, text, hash, tokens: 3, title: 'Lamps', headings: ['Care'], innerHeadings: [], anchor: 'page=1' },
  language: 'en',
})
const end = { kind: 'end', textHash: hash }
/** @param {unknown} value */
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)
const forever = () => setInterval(() => {}, 1000)

/** @type {Record<string, (request: unknown) => void>} */
const ways = {
  whole() {
    say(facts)
    say({ kind: 'progress', done: 1, total: 2 })
    say({ kind: 'fragments', fragments: [fragment(0, 'It hums.'), fragment(1, 'caf\u00e9 \u{1f600}')] })
    say(end)
  },
  asked: (request) => say({ ...facts, facts: { ...facts.facts, title: JSON.stringify(request) } }) && say(end),
  environment: () => say({ ...facts, facts: { ...facts.facts, title: JSON.stringify(process.env) } }) && say(end),
  noted() {
    for (const reason of ['file-cut', 'file-partly', 'file-shortened']) say({ kind: 'note', reason })
    say(end)
  },
  refused: () => say({ kind: 'refused', reason: 'file-encrypted' }),
  nothing: () => process.exit(),
  crash: () => process.kill(process.pid, 'SIGSEGV'),
  throw() {
    throw new Error('The reader failed.')
  },
  machine() {
    say(facts)
    process.stderr.write('No space is left.', () => process.exit(74))
  },
  late() {
    say(facts)
    setTimeout(() => process.exit(3), 50)
    forever()
  },
  heap() {
    const held = []
    for (;;) held.push(new Array(1000).fill(held.length + 0.5))
  },
  buffers() {
    const held = []
    const more = () => {
      for (let count = 0; count < 8; count++) held.push(Buffer.alloc(4 * 1024 * 1024, 1))
      setTimeout(more, 5)
    }
    more()
  },
  burst() {
    const held = []
    for (;;) held.push(Buffer.alloc(16 * 1024 * 1024, 1))
  },
  trace() {
    const trace = '    at native code\n'.repeat(500)
    process.stderr.write(`# Fatal process out of memory: Zone\n${trace}`, () => process.kill(process.pid, 'SIGTRAP'))
  },
  large() {
    const held = Array.from({ length: 100 }, () => Buffer.alloc(4 * 1024 * 1024, 1))
    say({ kind: 'progress', done: held.length, total: held.length })
    say(end)
  },
  loop() {
    for (;;);
  },
  silent: forever,
  drip() {
    setInterval(() => say({ kind: 'progress', done: 1, total: 0 }), 20)
  },
  endless() {
    const line = `${JSON.stringify({ kind: 'progress', done: 1, total: 9 })}\n`.repeat(1000)
    const more = () => {
      while (process.stdout.write(line));
      process.stdout.once('drain', more)
    }
    more()
  },
  noise() {
    const more = () => {
      while (process.stderr.write('x'.repeat(65_536)));
      process.stderr.once('drain', more)
    }
    more()
  },
  many() {
    for (let batch = 0; batch < 100; batch++) {
      say({
        kind: 'fragments',
        fragments: Array.from({ length: 32 }, (_, index) => fragment(batch * 32 + index, 'It hums.')),
      })
    }
    say(end)
  },
  giant() {
    process.stdout.write('{"kind":"end","textHash":"')
    const more = () => {
      while (process.stdout.write('a'.repeat(65_536)));
      process.stdout.once('drain', more)
    }
    more()
  },
  words: () => process.stdout.write('Not JSON.\n') && forever(),
  wrong: () => say({ kind: 'fragments', fragments: [{ ...fragment(0, 'x'), text: null }] }) && forever(),
  slow() {
    say({ ...facts, facts: { ...facts.facts, title: String(process.pid) } })
    setTimeout(() => say(end), 1_000)
  },
}

const lines = createInterface({ input: process.stdin })
lines.once('line', (line) => ways[JSON.parse(line).name]?.(JSON.parse(line)))
lines.once('close', () => process.exit(1))
