import { expect, it } from 'vitest'
import { hint, hintsOfName } from './class-name-hints'

it.each([
  ['entry-content', hint.content],
  ['articleBody', hint.content],
  ['comment-list', hint.comments],
  ['wp-share_buttons', hint.extra],
  ['relatedArticles2', hint.extra],
  ['newsletterBox', hint.extra],
  ['shareholders', 0],
  ['additional', 0],
  ['event-meta', 0],
  ['post__meta', hint.meta],
  ['cookie-consent', hint.consent],
])('%s', (name, meaning) => {
  expect(hintsOfName(name) & ~hint.listing).toBe(meaning)
})
