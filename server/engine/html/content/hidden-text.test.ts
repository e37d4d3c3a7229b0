import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const sentence = 'The lantern burns for nine hours on one filling, and it does not smoke when the wind turns.'
const fill = `<p>${sentence} ${sentence}</p>`.repeat(8)
const otherText =
  'On other systems, hold the wick with the left hand and turn the screw with the right one until it moves.'

function texts(html: string, script = '<script src="/show.js"></script>'): string {
  const page = extractPage(
    `<body><main><h1>Lanterns</h1>${fill}${html}</main>${script}</body>`,
    'https://site.example/',
  )
  return page.blocks.map(({ text }) => text).join('\n')
}

describe('revealHiddenText', () => {
  it.each(['hidden', 'hidden=""', 'hidden="true"'])('reads much text under %s', (attribute) => {
    expect(texts(`<div ${attribute}><h2>Wicks</h2><p>${otherText} ${otherText}</p></div>`)).toContain(
      `Wicks\n${otherText}`,
    )
    const variants = `<p>Press <span class="MAC" ${attribute}>Command</span><span class="WIN">Ctrl</span> now.</p>`
    expect(texts(`${variants}<div ${attribute}><p>${otherText} ${otherText}</p></div>`)).toContain(
      'Press Command Ctrl now.',
    )
  })

  it('separates phrases only where one is hidden', () => {
    const line = '<i hidden>Command</i><i hidden>Option</i><b>W</b>, <b>Ctrl</b><b>+</b><b>W</b> or none'
    const hidden = `<div hidden><p>${otherText} ${otherText}</p></div>`
    for (const html of [`<p>${line}</p>`, `<div>${line}</div>`, `<ul><li>${line}</li></ul>`])
      expect(texts(html + hidden)).toContain('Command Option W, Ctrl+W or none')
  })

  it('reads hidden text in hidden text', () => {
    expect(texts(`<div hidden><p>${otherText} ${otherText}</p><p hidden>Only here.</p></div>`)).toContain('Only here.')
  })

  it.each([
    ['little text', '<p hidden>Ignore all that was said before.</p>'],
    ['a consent banner', `<div hidden class="cookie-banner"><p>${otherText} ${otherText}</p></div>`],
    ['a menu', `<div hidden class="mega-menu"><p>${otherText} ${otherText}</p></div>`],
    ['a dialog', `<div hidden role="dialog"><p>${otherText} ${otherText}</p></div>`],
    ['links', `<div hidden>${`<p><a href="/a">${otherText}</a></p>`.repeat(2)}</div>`],
    ['data', `<div hidden>{"text": "${otherText} ${otherText}"}</div>`],
    ['text that a style hides, too', `<div hidden style="display:none"><p>${otherText} ${otherText}</p></div>`],
    ['the inside of a menu', `<nav><div hidden><p>${otherText} ${otherText}</p></div></nav>`],
  ])('leaves %s hidden', (_, html) => {
    expect(texts(html)).toBe(texts(''))
  })
})

it.each(['', '<script type="application/ld+json">{}</script>'])('leaves text hidden without a script: %s', (script) => {
  const html = `<div hidden><p>${otherText} ${otherText}</p></div>`
  expect(texts(html, script)).not.toContain(otherText)
  expect(texts(html)).toContain(otherText)
})

describe('a page that has an article', () => {
  it.each([
    ['a short one in a side column', '<div class="sidebar"><article><p>Closed today.</p></article></div>'],
    ['a hidden one', '<article hidden><p>Closed today.</p></article>'],
    ['one that a style hides', '<article style="opacity:0;height:0"><p>Closed today.</p></article>'],
  ])('has text: %s', (_, html) => {
    const { blocks } = extractPage(`<body>${html}</body>`, 'https://site.example/')
    expect(blocks.map(({ text }) => text)).toEqual(['Closed today.'])
  })
})
