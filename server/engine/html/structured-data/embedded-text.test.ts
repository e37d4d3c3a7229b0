import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const read = (scripts: string, body = '<div id="root"></div>') =>
  extractPage(
    `<html lang="en"><head><title>Lantern</title></head><body>${body}${scripts}<script src="/app.js"></script></body></html>`,
    'https://site.example/page',
  )
const jsonLd = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`
const textsOf = (scripts: string) => read(scripts).blocks.map(({ kind, text }) => `${kind}: ${text}`)

describe('a page with its text in structured data', () => {
  it('reads the article, not data about the site', () => {
    const { blocks, interstitial, textFrom, title } = read(
      jsonLd([
        { '@type': 'Organization', name: 'Lantern Ltd', description: 'We have made lamps of all kinds since 1890.' },
        {
          '@type': 'BlogPosting',
          headline: 'A night with the storm lamp',
          articleBody: 'The wind rose at nine.\n\nThe lamp burned until the morning came over the hill.',
        },
      ]),
    )
    expect({ interstitial, textFrom, title }).toEqual({ interstitial: null, textFrom: 'data', title: 'Lantern' })
    expect(blocks.map((block) => block.text)).toEqual([
      'A night with the storm lamp',
      'The wind rose at nine.',
      'The lamp burned until the morning came over the hill.',
    ])
  })

  it('reads what the page is about, not an event elsewhere', () => {
    const event = {
      '@type': 'Event',
      name: 'Market',
      description: 'A market for all of you.',
      url: 'https://site.example/market',
    }
    const post = {
      '@type': 'BlogPosting',
      url: 'https://www.site.example/page/',
      articleBody: 'The lamp burned until the morning came over the hill.',
    }
    expect(textsOf(jsonLd({ '@graph': [event, post] }))).toEqual([`paragraph: ${post.articleBody}`])
    const later = { ...event, description: 'A market for all of you, on every Sunday of the year.' }
    expect(textsOf(jsonLd([later]))).toEqual(['heading: Market', `paragraph: ${later.description}`])
  })

  it('reads questions with their answers', () => {
    const question = (name: string, text: string) => ({
      '@type': 'Question',
      name,
      acceptedAnswer: { '@type': 'Answer', text },
    })
    const page = {
      '@type': 'FAQPage',
      mainEntity: [
        question('How long does it burn?', '<p>For forty <b>hours</b>.</p>'),
        question('Is it safe?', 'Yes, but never leave it alone.'),
      ],
    }
    expect(textsOf(jsonLd({ '@context': 'https://schema.org', '@graph': [page] }))).toEqual([
      'heading: How long does it burn?',
      'paragraph: For forty hours.',
      'heading: Is it safe?',
      'paragraph: Yes, but never leave it alone.',
    ])
  })

  it('reads a recipe, an event and a product', () => {
    expect(
      textsOf(
        jsonLd({
          '@type': 'Recipe',
          name: 'Lamp oil',
          recipeIngredient: ['1 l rape oil', '2 g salt'],
          recipeInstructions: [{ '@type': 'HowToStep', text: 'Warm the oil slowly.' }, 'Stir in the salt.'],
        }),
      ),
    ).toEqual([
      'heading: Lamp oil',
      'list: - 1 l rape oil\n- 2 g salt',
      'list: - Warm the oil slowly.\n- Stir in the salt.',
    ])
    expect(
      textsOf(
        jsonLd({
          '@type': 'Event',
          name: 'Night of the lamps',
          description: 'Bring your own lamp and walk with us along the river.',
          startDate: '2025-11-11T18:00',
          location: { '@type': 'Place', name: 'Town hall', address: { addressLocality: 'Poznań' } },
        }),
      ),
    ).toContain('paragraph: When: 2025-11-11T18:00\nWhere: Town hall, Poznań')
    expect(
      textsOf(
        jsonLd({
          '@type': 'Product',
          name: 'Storm lamp 40',
          description: 'Burns for forty hours in any wind you can stand in.',
        }),
      ),
    ).toEqual(['heading: Storm lamp 40', 'paragraph: Burns for forty hours in any wind you can stand in.'])
  })
})

describe('a page with its text in hydration state', () => {
  const state = {
    buildId: 'kWz_91',
    locale: 'en',
    messages: { cookie: 'We use cookies to make this site better for you.' },
    props: {
      pageProps: {
        theme: { description: 'The theme of this page is dark and has three colours.' },
        article: {
          id: 'a-17',
          slug: 'storm-lamp',
          title: 'The storm lamp',
          className: 'flex items-center gap-2 text-lg font-bold leading-tight',
          url: 'https://cdn.site.example/a b c d e f g.jpg',
          body: '<h2>Care</h2><p>Wipe the glass <em>daily</em> with a dry cloth.</p><p>Cut the wick once a week.</p>',
          parts: [
            { heading: 'Storage', text: 'Keep it dry and upright, and empty it before summer.' },
            { heading: 'Nothing', image: '/a.png' },
            { children: [{ text: 'Never leave it ' }, { text: 'alone', bold: true }, { text: ' in a tent.' }] },
          ],
          again: 'Keep it dry and upright, and empty it before summer.',
        },
      },
    },
  }
  const expected = [
    'heading: The storm lamp',
    'heading: Care',
    'paragraph: Wipe the glass daily with a dry cloth.',
    'paragraph: Cut the wick once a week.',
    'heading: Storage',
    'paragraph: Keep it dry and upright, and empty it before summer.',
    'paragraph: Never leave it alone in a tent.',
  ]

  it.each([
    ['JSON in a script', `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify(state)}</script>`],
    ['an assignment', `<script>var a=1;window.__INITIAL_STATE__ = ${JSON.stringify(state)};go("]}")</script>`],
    [
      'a string of JSON',
      `<script>window.__PRELOADED_STATE__=JSON.parse(${JSON.stringify(JSON.stringify(state))})</script>`,
    ],
  ])('reads %s', (_, script) => {
    expect(read(script)).toMatchObject({ interstitial: null, textFrom: 'data' })
    expect(textsOf(script)).toEqual(expected)
  })

  it('reads the string literals of a state that a function assembles', () => {
    const script = `<script>window.__NUXT__=(function(a,b){return {data:[{title:a,body:b}]}}("Lamps","The storm lamp burns for forty hours, even in the rain."))</script>`
    expect(textsOf(script)).toEqual(['paragraph: The storm lamp burns for forty hours, even in the rain.'])
  })

  it('reads no data without prose, and reports that a script is required', () => {
    const script = `<script type="application/json">${JSON.stringify({ items: ['Sign in', 'Add to cart', 'a_b_c d_e_f'], n: 1 })}</script>`
    expect(read(script)).toMatchObject({ interstitial: 'script', textFrom: 'page', blocks: [] })
    expect(read('<script type="application/json">{"broken": "The lamp burns for forty hours</script>')).toMatchObject({
      interstitial: 'script',
    })
  })

  it('never replaces text that the page shows', () => {
    const own = `<main><h1>Lamp</h1><p>${'The storm lamp hums in the dark, and nobody is awake. '.repeat(5)}</p></main>`
    const { blocks, textFrom } = read(
      jsonLd({ '@type': 'Article', articleBody: 'Another text that nobody asked for at all.' }),
      own,
    )
    expect(textFrom).toBe('page')
    expect(blocks).toHaveLength(2)
  })
})

describe('a page with text in noscript', () => {
  it('reads it without the request to enable JavaScript', () => {
    const noscript =
      '<noscript><p>Please enable JavaScript.</p><h1>Lamps</h1><p>All our lamps burn for forty hours at least.</p></noscript>'
    expect(read('', `<div id="root"></div>${noscript}`)).toMatchObject({
      interstitial: null,
      textFrom: 'noscript',
      blocks: [{ text: 'Lamps' }, { text: 'All our lamps burn for forty hours at least.' }],
    })
  })
})

describe('hostile data', () => {
  // Most of these are about as long as the limit of data read on one page.
  it.each([
    ['deep JSON', `<script type="application/json">${'{"a":'.repeat(340_000)}1${'}'.repeat(340_000)}</script>`],
    ['deep lists', `<script type="application/ld+json">${'['.repeat(500_000)}${']'.repeat(500_000)}</script>`],
    [
      'many values',
      `<script type="application/json">[${'"The storm lamp number one hums.",'.repeat(60_000)}1]</script>`,
    ],
    ['state without an end', `<script>${'window.__INITIAL_STATE__={"a":"'.repeat(66_000)}</script>`],
  ])('reads %s in linear time', (_, script) => {
    expect(read(script).links).toEqual([])
  })
})
