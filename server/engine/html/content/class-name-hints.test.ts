import { expect, it } from 'vitest'
import { meaningOfName, named } from './class-name-hints'

it.each([
  ['entry-content', named.content],
  ['articleBody', named.content],
  ['comment-list', named.comments],
  ['wp-share_buttons', named.extra],
  ['relatedArticles2', named.extra],
  ['newsletterBox', named.extra],
  ['shareholders', 0],
  ['additional', 0],
  ['event-meta', 0],
  ['post__meta', named.meta],
  ['cookie-consent', named.consent],
])('%s', (name, meaning) => {
  expect(meaningOfName(name) & ~named.listing).toBe(meaning)
})
