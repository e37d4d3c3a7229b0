import { describe, expect, it } from 'vitest'
import { searchSchema } from './search-query'

const asked = (language: string | string[]) => searchSchema.safeParse({ query: 'lamp', collectionId: 'one', language })

describe('the language of a search', () => {
  it.each(['en', 'pt-BR', 'zh-hant', 'sr-Latn-RS', 'es-419', 'ca-valencia', 'de-1996', 'iw', 'gsw', ' FR '])(
    'is %s, as pages say it in small letters',
    (tag) => {
      expect(asked(tag).data?.language).toEqual([tag.trim().toLowerCase()])
    },
  )

  it.each(['xx', 'xx-bogus', 'en-bogus', 'en-qq', 'english', 'en_GB', 'en-', 'en-a', 'x-default', 'und', '%'])(
    'is not %s',
    (tag) => {
      for (const input of [tag, ['en', tag]]) {
        expect(asked(input).error?.issues).toMatchObject([
          { path: ['language'], message: 'language is the tag of a language, as in en or pt-BR' },
        ])
      }
    },
  )
})

describe('the dates of a search', () => {
  it('are reported one by one when both ends of a range are wrong', () => {
    const dates = { publishedSince: 'yesterday', publishedUntil: 'today' }
    const { error } = searchSchema.safeParse({ query: 'lamp', collectionId: 'one', ...dates })
    expect(error?.issues.map(({ path }) => path.join())).toEqual(['publishedSince', 'publishedUntil'])
  })

  it('cannot be the wrong way round', () => {
    const dates = { modifiedSince: '2026-02-01', modifiedUntil: '2026-01-01' }
    const { error } = searchSchema.safeParse({ query: 'lamp', collectionId: 'one', ...dates })
    expect(error?.issues).toMatchObject([{ path: ['modifiedUntil'] }])
  })
})
