import { describe, expect, it } from 'vitest'
import { linksInLlmsTxt } from './llms'

const base = 'https://site.example/llms.txt'

describe('linksInLlmsTxt', () => {
  it('returns the links of its lists, unique and absolute', () => {
    const text = `# Site
> What it is. See [the start](/start "Start").

## Docs
- [Guide](/guide.md): how to begin
- [Set (mathematics)](https://site.example/wiki/Set_(mathematics)): with brackets
- [Guide again](https://site.example/guide.md#part)
- [Two words](<two words>)
- [Other](https://other.example/)

## Optional
- [Mail](mailto:a@b.example), [here](#docs), [empty](), [open](/a
b)`
    expect(linksInLlmsTxt(text, base)).toEqual([
      'https://site.example/start',
      'https://site.example/guide.md',
      'https://site.example/wiki/Set_(mathematics)',
      'https://site.example/two%20words',
      'https://other.example/',
    ])
  })

  it('returns no links of a web page', () => {
    expect(linksInLlmsTxt('\n<!doctype html><p>[a](/b)', base)).toEqual([])
  })

  it('is bounded', () => {
    const count = Array.from({ length: 5_000 }, (_, index) => `[a](/${index})`).join('\n')
    expect(linksInLlmsTxt(count, base)).toHaveLength(2_000)
    expect(linksInLlmsTxt(']('.repeat(500_000), base)).toEqual([])
  })
})
