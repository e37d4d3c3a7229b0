import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const url = 'https://site.example/docs/'
const forward = (html: string) => extractPage(html, url).forward?.url ?? null
const script = (code: string) => `<title>Manual</title><script>${code}</script><p>Redirecting.</p>`

describe('a page that only forwards', () => {
  it.each([
    ['<meta http-equiv="refresh" content="0; url=latest/">', 'latest/'],
    ['<meta http-equiv="Refresh" content="0;URL=\'latest/\'">', 'latest/'],
    ['<meta http-equiv=refresh content="3, url = &quot;latest/index.html#top&quot;">', 'latest/index.html'],
    ['<noscript><meta http-equiv="Refresh" content="0;overview-summary.html"></noscript>', 'overview-summary.html'],
    ['<meta http-equiv="refresh" content="0.5;url=/17/"><h1>Redirecting…</h1><a href="/17/">Here</a>', '/17/'],
    ['<meta http-equiv="refresh" content="0; url=https://other.example/a">', 'https://other.example/a'],
    ['<base href="/v2/"><meta http-equiv="refresh" content="0; url=start">', '/v2/start'],
  ])('reports a page that only forwards by %s as moved', (html, target) => {
    expect(forward(`<!doctype html><html><head>${html}</head><body></body></html>`)).toBe(new URL(target, url).href)
  })

  it.each([
    ['window.location.replace("latest/" + window.location.search + window.location.hash);', 'latest/'],
    ["location.href = 'stable/index.html'", 'stable/index.html'],
    ['window.location = `latest/`', 'latest/'],
    ['document.location.href="latest/";', 'latest/'],
    ['top.location.assign("latest/")', 'latest/'],
    ['(function () { var x = "}"; location.href = "latest/" })()', 'latest/'],
    ['(() => { location.href = "latest/" })();', 'latest/'],
    ['window.onload = function () { location.replace("latest/") }', 'latest/'],
    ['setTimeout(() => location.replace("latest/"), 500)', 'latest/'],
    ['setTimeout(function () { location.replace("latest/"); }, 3000);', 'latest/'],
    ['<!--\nlocation.replace("latest/")\n//-->', 'latest/'],
    ['function track() { if (a) b() }\ntrack()\nlocation.replace("latest/")', 'latest/'],
    ['setTimeout("location.href = \'latest/\'", 0)', 'latest/'],
    ['// location.href = "old/"\nlocation.replace("https://site.example/new/") // now', '/new/'],
    ['/* location.replace("old/") */ location.replace("new/")', 'new/'],
  ])('reports a page that only forwards by the script %s as moved', (code, target) => {
    expect(forward(script(code))).toBe(new URL(target, url).href)
  })

  it('follows a refresh before a script', () => {
    expect(forward(`<meta http-equiv="refresh" content="0; url=a/">${script('location.replace("b/")')}`)).toBe(
      `${url}a/`,
    )
  })
})

describe('a refresh for visitors without JavaScript', () => {
  const refresh = '<noscript><meta http-equiv="refresh" content="0; url=/noscript.html"></noscript>'
  const forwardOf = (html: string) => extractPage(html, url).forward

  it('is not followed where the page has a text of its own, however short', () => {
    expect(forwardOf(`<head>${refresh}</head><h1>Grids</h1><p>Turns the grid of the page on.</p>`)).toBeNull()
  })

  it('is distinguished from a refresh for all visitors', () => {
    const target = 'https://site.example/noscript.html'
    expect(forwardOf(`<head>${refresh}</head><body></body>`)).toEqual({ url: target, isForNoScript: true })
    const all = '<meta http-equiv="refresh" content="0; url=/a">'
    expect(forwardOf(`<head>${refresh}${all}</head>`)).toEqual({ url: 'https://site.example/a', isForNoScript: false })
  })
})

describe('a page that does not forward', () => {
  const text = '<p>The storm lamp hums in the dark while the wind goes round the house. '.repeat(8)

  it.each([
    ['has a text', `<meta http-equiv="refresh" content="0; url=latest/"><main>${text}</main>`],
    ['loads itself again', '<meta http-equiv="refresh" content="0">Scores'],
    ['names itself', `<meta http-equiv="refresh" content="0; url=${url}#a">Scores`],
    ['waits', '<meta http-equiv="refresh" content="60; url=next/">Scores'],
    ['has another scheme', '<meta http-equiv="refresh" content="0; url=javascript:void(0)">'],
    ['computes its target', script('location.replace(base + "/latest/")')],
    ['appends to a constant on the next line', script('location.href = "v/"\n  + version')],
    ['appends to a constant', script('location.href = "v/" + version')],
    ['compares', script('if (location.href == "latest/") go()')],
    ['has a variable of that name', script('var location = "Berlin"; data.location = "Paris"')],
    ['chooses', script('if (german) location.replace("de/"); else location.replace("en/")')],
    ['decides', script('if (window.top === window) { top.location.assign("latest/") }')],
    ['decides by the language', script('if (navigator.language=="de") location.replace("/de/")')],
    ['decides on the next line', script('if (german)\nlocation.replace("/de/")')],
    ['decides in an expression', script('german && location.replace("/de/"); german ? location.replace("/de/") : 0')],
    ['decides in an expression of two lines', script('german &&\nlocation.replace("/de/")')],
    ['forwards on demand', script('function home() { location.href = "/" }')],
    ['forwards on a click', script('picture.onclick = function () { location.href = "/basket" }')],
    ['forwards late', script('setTimeout(function () { location.href = "/logout" }, 600000)')],
    [
      'forwards if a session has ended',
      script('setTimeout(() => { if (sessionExpired) location.href="/logout" }, 1000)'),
    ],
    ['only defines a function', script('(function () { location.href = "/" })')],
    ['cannot be read', script('x = /[}]/; function go() { y = /}/; location.href = "/" }')],
    ['has a heading', `${script('location.href = "/"')}<h2>Gallery</h2>`],
    ['has a paragraph', `${script('location.href = "/"')}<p>All our pictures.</p>`],
    ['is an app', '<div id="root"></div><script>function signOut() { location.href = "/login" }</script>'],
    ['has a form', `<button>Search</button>${script('function find() { location.href = "/search" }')}`],
    [
      'has words of its own',
      script('function home() { location.href = "/" }') + '<p>Lamps and wicks for sale. '.repeat(7),
    ],
    ['loads a bundle', script(`location.href = "a/";${'x = 1;'.repeat(1000)}`)],
  ])('because it %s', (_why, html) => {
    expect(forward(html)).toBeNull()
  })
})
