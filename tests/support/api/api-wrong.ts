import { z } from 'zod'

// Values that a field must not take, and what the tables of calls share.

export const long = (length: number) => 'x'.repeat(length + 1)
export const neverText = [7, true, [], {}, ['text']]
export const requiredText = (most: number) => [undefined, null, '', '   ', ...optionalText(most)]
export const optionalText = (most: number) => [long(most), 'a\0b', ...neverText]
/** Control characters, and text that shows nothing. */
export const neverLine = ['\0', 'a\nb', 'a\u0007b', '\u009b', 'a\u2028b', '\u200b', '\u202e']
export const requiredName = (most: number) => [...requiredText(most), ...neverLine]
/** Of a field that keeps what is stored if it is absent. */
export const optionalName = (most: number) => [null, '', '   ', ...optionalText(most), ...neverLine]
export const neverNumber = [null, true, false, '', ' ', 'many', [], [5], {}]

export const success = z.literal(true)
export const named = { name: 'Named by the test', description: 'Described' }
export const choices = [undefined, null, '', 'nothing of these', 7, [], {}]

/** Of the fields that are a source's options. */
export const wrongOptions: Record<string, unknown[]> = {
  include: [null, 7, true, {}, [7], [null], ['docs/**'], 'docs/**', ['/'.padEnd(300, 'x')], Array(51).fill('/x/**')],
  include_selectors: [null, 7, true, {}, [[]], ['div['], ['p:nowhere'], Array(21).fill('p')],
  exclude_selectors: [null, 7, true, {}, [[]], ['a{}'], 'main\n..x'],
  exclude: [null, 7, true, {}, [[]], ['https://lamps.example/docs/**'], 'old'],
  max_pages: [true, 'many', 0, -1, 1.5, 50_001, '1e999', [], {}],
  max_depth: [false, 'deep', -1, 0.5, 51, [], {}],
  refresh_interval: ['', null, 'hourly', 7, [], {}],
  crawl_delay_ms: [true, 'fast', -1, 1.5, 60_001, [], {}],
  headers: [
    7,
    true,
    [],
    ['X-Key: value'],
    'no colon',
    { 'X-Key': 7 },
    { 'X-Key': null },
    { 'X-Key': 'two\nlines' },
    { 'X-Key': 'größer' },
    { 'X-Key': 'x'.repeat(4_097) },
    { 'two words': 'value' },
    { '': 'value' },
    { Host: 'other.example' },
    { 'Content-Length': '7' },
    { 'user-agent': 'another' },
    { 'Sec-Fetch-Mode': 'navigate' },
    Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`X-${index}`, 'value'])),
  ],
  username: optionalText(256),
  password: optionalText(256),
  clear_headers: ['yes', 7, [], {}],
}
