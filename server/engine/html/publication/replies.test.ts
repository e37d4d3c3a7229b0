import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const question = 'My lantern goes out after ten minutes when it rains. Has anybody seen this?'
const answer = 'Look at the cap. When its holes are closed with soot, the flame gets no air.'

function linesOf(url: string, html: string, head = ''): string[] {
  const page = `<html lang="en"><head><title>Lantern goes out</title>${head}</head><body>${html}</body></html>`
  return extractPage(page, `https://site.example${url}`).blocks.map(({ text }) => text)
}

describe('the replies of a thread', () => {
  it.each([
    [
      'an address of a forum',
      '/viewtopic.php?t=83',
      (author: string, day: string, text: string) =>
        `<div class="post bg1"><p class="author">by <a class="username" href="/u">${author}</a> » ${day} 2026, 10:20</p><div class="content">${text}</div></div>`,
    ],
    [
      'a thread',
      '/threads/lantern.83/',
      (author: string, day: string, text: string) =>
        `<article class="message"><a class="username">${author}</a><time datetime="2026-05-${day.slice(0, 2).trim().padStart(2, '0')}T10:00:00Z">${day}</time><div>${text}</div></article>`,
    ],
    [
      'comments',
      '/questions/83/lantern',
      (author: string, day: string, text: string) =>
        `<li class="comment"><div class="comment-author">${author}</div><div class="comment-date">${day} 2026</div><p>${text}</p></li>`,
    ],
  ])('keep their authors and dates as headings: %s', (_, url, reply) => {
    const replies = reply('anneke', '4 May', question) + reply('teun', '5 May', answer)
    const lines = linesOf(url, `<main><h1>Lantern goes out</h1><div class="comments">${replies}</div></main>`)
    const expected = ['anneke, May 4, 2026', question, 'teun, May 5, 2026', answer]
    expect(lines.filter((line) => expected.includes(line))).toEqual(expected)
  })

  it('are those of a page that declares questions and answers', () => {
    const reply = (type: string, author: string, text: string) =>
      `<div itemscope itemtype="https://schema.org/${type}"><span itemprop="author">${author}</span> <time datetime="2026-05-04">4 May</time><p>${text}</p></div>`
    const html = `<div itemscope itemtype="https://schema.org/QAPage"><h1>Lantern goes out</h1>${reply('Question', 'anneke', question)}${reply('Answer', 'teun', answer)}</div>`
    expect(linesOf('/help/83', html)).toEqual(expect.arrayContaining(['teun, May 4, 2026', answer]))
  })

  it('are not the comments below an article', () => {
    const comment = `<li class="comment"><span class="author">anneke</span><time datetime="2026-05-04">4 May</time><p>${question}</p></li>`
    const article = `<article><h1>Lantern goes out</h1>${`<p>${answer.repeat(3)}</p>`.repeat(4)}</article>`
    expect(linesOf('/blog/lantern', `${article}<ol class="comments">${comment.repeat(3)}</ol>`).join()).not.toContain(
      question,
    )
  })

  it.each(['<div class="a"><a class="user">x</a>', '<li class="a"><i class="user">x</i>'])(
    'are looked for in linear time: 100,000 times %s',
    (html) => {
      expect(extractPage(html.repeat(100_000), 'https://site.example/t/1').links).toEqual([])
    },
  )
})
