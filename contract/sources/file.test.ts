import { describe, expect, it } from 'vitest'
import { fileNameOf, fileTexts, fileTypeOf } from './file'
import { fileReplacementSchema, fileSourceSchema } from './file-source'

it.each([
  ['notes.txt', 'txt'],
  ['Report.PDF', 'pdf'],
  ['prices.2026.xlsx', 'xlsx'],
  ['a.docx ', 'docx'],
  ['README.md', 'md'],
  ['page.html', 'html'],
  ['talk.PPTX', 'pptx'],
  ['talk.ppt', null],
  ['notes', null],
  ['notes.', null],
  ['notes.txt.exe', null],
  ['notes.txt/', null],
])('%j is of the type %s', (name, type) => {
  expect(fileTypeOf(name)).toBe(type)
})

it.each([
  ['C:\\files\\notes.txt', 'notes.txt'],
  ['../notes.txt', 'notes.txt'],
  ['a\u202etxt.exe', 'atxt.exe'],
  ['\ufeffnotes.txt', 'notes.txt'],
  ['fu\u0308r.txt', 'für.txt'],
  ['lamp\u200bs\u2060.t\u00adxt', 'lamps.txt'],
  ['lamps\u{e0041}\u{e007f}.txt', 'lamps.txt'],
  ['half\ud83d.txt', 'half\ufffd.txt'],
  ['👩‍👧.txt', '👩‍👧.txt'],
  [' .. ', ''],
])('%j is kept as %j', (input, kept) => {
  expect(fileNameOf(input)).toBe(kept)
})

it("says the contract's texts", () => {
  expect(fileTexts).toMatchObject({
    hint: 'Max file size 64 MB.',
    tooLarge: "Cannot upload file, it's too big",
    trySmaller: 'Try uploading a file that is smaller than 64 MB!',
    types: 'Use .txt, .pdf, .doc, .docx, .xls, .xlsx, .csv, .md, .html or .pptx.',
  })
})

describe('the fields beside a file', () => {
  it('accept a name, but no options of sites', () => {
    expect(fileSourceSchema.parse({ type: 'file', name: ' A ', url: '', include: '', max_depth: null })).toEqual({
      name: 'A',
    })
    expect(fileSourceSchema.parse({ type: 'file', refresh_interval: 'never', status: 'new' })).toEqual({ name: '' })
    const wrong = fileSourceSchema.safeParse({ type: 'file', crawl_delay_ms: 0, headers: { a: 'b' } })
    expect(wrong.error?.issues.map(({ path }) => path)).toEqual([['crawl_delay_ms'], ['headers']])
  })

  it('accept an omitted name for a replacement, but not an empty one', () => {
    expect(fileReplacementSchema.parse({})).toEqual({ name: undefined })
    expect(fileReplacementSchema.safeParse({ name: ' ' }).error?.issues[0]?.message).toBe('Name is required')
  })
})
