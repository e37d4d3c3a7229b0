import { expect, it } from 'vitest'
import { primaryLanguage } from './url-language'

it.each([
  ['/de/wick', 'en', 'de'],
  ['/docs/17/pt-BR/wick', '', 'pt'],
  ['/zh_Hans/wick', null, 'zh'],
  ['/wick?lang=fr-CA', 'en', 'fr'],
  ['/wick', 'en-us', 'en'],
  ['/wick', null, ''],
  ['/de', 'en', 'en'],
  ['/xx/wick', 'en', 'en'],
  ['/a/b/c/de/wick', 'en', 'en'],
  ['/docs/v2/wick', '', ''],
])('%s that declares %s is in "%s"', (path, language, primary) => {
  expect(primaryLanguage({ url: `https://site.example${path}`, language })).toBe(primary)
})
