import { describe, expect, it } from 'vitest'
import { checkWidget, type WidgetFacts } from './check-widget'
import { readWidgetTag } from './read-widget-tag'

const server = 'https://ask.example.com'
const key = 'sitelore_public_now'
const loaderHash = 'sha384-loader'
const facts: WidgetFacts = {
  publicUrl: server,
  keyOwner: { kind: 'agent' },
  allowedOrigins: [],
  loaderHash,
  loaderFailure: null,
}

interface Given {
  url?: string
  policy?: string
  head?: string
  tag?: string
  facts?: Partial<WidgetFacts>
}

function findings({ url = 'https://shop.example/', policy, head = '', tag = tagWith(), ...given }: Given = {}) {
  const headers: Record<string, string> = policy === undefined ? {} : { 'content-security-policy': policy }
  const html = `<!doctype html><html><head>${head}</head><body><p>Lamps</p>${tag}</body></html>`
  return checkWidget(readWidgetTag({ url, headers, html }, key), { ...facts, ...given.facts })
}

const tagWith = (attributes = '', src = `${server}/widget.js`) =>
  `<script src="${src}" data-key="${key}" ${attributes} async></script>`
const problemsOf = (input: Given) => findings(input).filter(({ isProblem }) => isProblem)
const problems = (input: Given) => problemsOf(input).map(({ check }) => check)
const messageOf = (input: Given) => problemsOf(input)[0]?.message ?? ''

describe('a page', () => {
  it('finds nothing wrong on a page where the widget works', () => {
    expect(findings().map(({ check, isProblem }) => [check, isProblem])).toEqual([
      ['loader', false],
      ['key', false],
      ['origin', false],
      ['policy', false],
    ])
  })

  it('is checked as if it had the tag of the snippet where it has none', () => {
    expect(problems({ tag: '', policy: "script-src 'self'" })).toEqual(['loader', 'policy'])
    expect(findings({ tag: '' }).find(({ check }) => check === 'key')?.message).toContain('no key to check')
  })

  it('may have the tag of another agent as well', () => {
    expect(problems({ tag: `<script src="${server}/widget.js" data-key="other"></script>${tagWith()}` })).toEqual([])
  })

  it('may have a base, and a tag without a scheme', () => {
    expect(problems({ head: `<base href="${server}/">`, tag: tagWith('', 'widget.js') })).toEqual([])
    expect(problems({ tag: tagWith('', '//ask.example.com/widget.js') })).toEqual([])
  })
})

describe('a tag', () => {
  it.each([
    ['a comment', `<!-- ${tagWith()} -->`, 'paste the tag'],
    ['a template', `<template>${tagWith()}</template>`, 'do not run the tag'],
    ['a noscript', `<noscript>${tagWith()}</noscript>`, 'do not run the tag'],
    ['a consent tool', tagWith('type="text/plain"'), 'do not run the tag'],
    ['a page without its key', `<script src="${server}/widget.js"></script>`, 'has no data-key'],
  ])('reports a tag of %s as broken', (_, tag, message) => {
    expect(messageOf({ tag })).toContain(message)
  })

  it('has to have the hash of the loader', () => {
    expect(problems({ tag: tagWith(`integrity="${loaderHash}" crossorigin="anonymous"`) })).toEqual([])
    expect(messageOf({ tag: tagWith('integrity="sha384-old" crossorigin') })).toContain('integrity hash')
  })

  it('may be unencrypted on the own computer, and on an unencrypted page', () => {
    expect(problems({ tag: tagWith('', 'http://localhost:3000/widget.js') })).toEqual([])
    expect(problems({ url: 'http://shop.example/', tag: tagWith('', 'http://ask.example.com/widget.js') })).toEqual([])
    expect(problems({ tag: tagWith('', 'http://ask.example.com/widget.js') })).toEqual(['loader'])
  })

  it('blames the proxy of this server, or the tag, if the loader cannot be read', () => {
    const failing = { loaderFailure: 'responds with the status 502' }
    expect(messageOf({ facts: failing })).toBe(
      `${server}/widget.js responds with the status 502: check the proxy in front of it.`,
    )
    expect(messageOf({ facts: failing, tag: tagWith('', 'https://old.example/widget.js') })).toContain('use the tag')
  })
})

describe('the origin', () => {
  it.each([
    ['https://shop.example/', 'https://shop.example', true],
    ['https://shop.example:443/', 'https://shop.example', true],
    ['http://shop.example:8080/', 'http://shop.example:8080', true],
    ['https://www.shop.example/', 'https://shop.example', false],
  ])('judges the origin of %s with %s allowed', (url, origin, works) => {
    expect(problems({ url, facts: { allowedOrigins: [origin] } })).toEqual(works ? [] : ['origin'])
  })
})

describe('a policy', () => {
  it.each([
    ["script-src 'self'", '', 'script-src'],
    ["default-src 'self'; connect-src *", '', 'script-src'],
    ["script-src 'nonce-AbC'", 'nonce="old"', 'script-src'],
    [`script-src 'strict-dynamic' 'sha256-x' ${server}`, '', 'script-src'],
    [`script-src ${server}/widget.js`, '', 'script-src'],
    ["connect-src 'self'", '', 'connect-src'],
    ["default-src 'none'", '', 'script-src and connect-src'],
  ])('%s with %j blocks %s', (policy, attributes, directives) => {
    expect(messageOf({ policy, tag: tagWith(attributes) })).toContain(`add ${server} to ${directives},`)
  })

  it.each([
    ["script-src 'nonce-AbC'", 'nonce="AbC"'],
    ["script-src 'nonce-AbC' 'strict-dynamic'", 'nonce="AbC"'],
    [`script-src '${loaderHash}' 'strict-dynamic'`, `integrity="${loaderHash}" crossorigin`],
    [`script-src ${server}; connect-src ${server}`, ''],
    ['img-src *', ''],
  ])('%s allows the tag with %s', (policy, attributes) => {
    expect(problems({ policy, tag: tagWith(attributes) })).toEqual([])
  })

  it('can be declared by the page, or only reported', () => {
    const declared = (name: string) => `<meta http-equiv="${name}" content="connect-src 'self'">`
    expect(problems({ head: declared('Content-Security-Policy') })).toEqual(['policy'])
    expect(problems({ head: declared('Content-Security-Policy-Report-Only') })).toEqual([])
  })
})

describe('a key', () => {
  it.each([
    [{ kind: 'private' }, 'regenerate the private key'],
    [{ kind: 'former' }, 'stopped working'],
    [{ kind: 'unknown' }, 'no agent of your organization'],
    [{ kind: 'other-agent', name: 'Lamp helper' }, '“Lamp helper”'],
  ] as const)('reports the key %j as wrong', (keyOwner, message) => {
    expect(messageOf({ facts: { keyOwner } })).toContain(message)
  })
})
