import { describe, expect, it } from 'vitest'
import { agentStatuses } from '../../../contract/values/enumerations'
import { diagnoseEmbed, type EmbedFacts, upgraded } from './diagnose-embed'
import { readEmbed } from './read-embed'

const server = 'https://ask.example.com'
const key = 'sitelore_public_now'
const loader = 'sha384-loader'
const widgetHashes = { 'widget.js': loader, 'widget-0a1b2c.js': 'sha384-panel' }
const facts: EmbedFacts = {
  publicUrl: server,
  keyOwner: { kind: 'agent' },
  allowedOrigins: [],
  widgetHashes,
  agentStatus: agentStatuses.operational,
  isDailyLimitReached: false,
  script: { kind: 'loaded' },
  stream: 'streamed',
}

interface Given {
  url?: string
  policy?: string
  head?: string
  tag?: string
  facts?: Partial<EmbedFacts>
}

function findings({ url = 'https://shop.example/', policy, head = '', tag = tagWith(), facts: given }: Given = {}) {
  const headers: Record<string, string> = policy === undefined ? {} : { 'content-security-policy': policy }
  const html = `<!doctype html><html><head>${head}</head><body><p>Lamps</p>${tag}</body></html>`
  const embed = readEmbed({ url, headers, html }, (one) => one.key === key)
  return diagnoseEmbed(embed, { ...facts, ...given })
}

const tagWith = (attributes = '', src = `${server}/widget.js`) =>
  `<script src="${src}" data-key="${key}" ${attributes} async></script>`
const problems = (given: Given) => findings(given).flatMap(({ problem }) => problem ?? [])
const messageOf = (given: Given) => findings(given).find(({ state }) => state === 'problem')?.message

describe('a page', () => {
  it('on which the widget works has nothing but what is well', () => {
    expect(findings().map(({ check, state }) => `${check} ${state}`)).toEqual([
      'tag ok',
      'key ok',
      'origin ok',
      'script-policy ok',
      'connect-policy ok',
      'mixed-content ok',
      'server-address ok',
      'streaming ok',
      'agent ok',
    ])
  })

  it('is checked as if it had the tag of the snippet where it has none', () => {
    const given = { tag: '', policy: "script-src 'self'" }
    expect(problems(given)).toEqual(['no-tag', 'script-blocked'])
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
    ['a comment', `<!-- ${tagWith()} -->`, 'no-tag'],
    ['a template', `<template>${tagWith()}</template>`, 'inert-tag'],
    ['a noscript', `<noscript>${tagWith()}</noscript>`, 'inert-tag'],
  ])('inside %s is not run', (_, tag, problem) => {
    expect(problems({ tag })).toEqual([problem])
  })

  it.each(['text/plain', 'module'])('with the type %s is not run', (type) => {
    expect(problems({ tag: tagWith(`type="${type}"`) })).toEqual(['inert-tag'])
    expect(messageOf({ tag: tagWith(`type="${type}"`) })).toContain(`type="${type}"`)
  })

  it('has to have the hash of the loader, and crossorigin', () => {
    expect(problems({ tag: tagWith(`integrity="${loader}" crossorigin="anonymous"`) })).toEqual([])
    expect(problems({ tag: tagWith(`integrity="${loader}"`) })).toEqual(['wrong-integrity'])
    expect(problems({ tag: tagWith('integrity="sha384-old" crossorigin') })).toEqual(['wrong-integrity'])
  })
})

describe('the origin', () => {
  it.each([
    ['https://shop.example/', 'https://shop.example'],
    ['https://shop.example:443/', 'https://shop.example'],
    ['http://shop.example:8080/', 'http://shop.example:8080'],
  ])('of %s is %s', (url, origin) => {
    expect(problems({ url, facts: { allowedOrigins: [origin] } })).toEqual([])
  })

  it('with www is another one', () => {
    const given = { url: 'https://www.shop.example/', facts: { allowedOrigins: ['https://shop.example'] } }
    expect(messageOf(given)).toBe(
      'The public key does not accept pages of https://www.shop.example, only those of https://shop.example: add this origin to the allowed ones.',
    )
  })
})

describe('a policy', () => {
  it.each([
    ["script-src 'self'", '', `add ${server} to script-src.`],
    ["default-src 'self'; connect-src *", '', `add the directive script-src 'self' ${server}.`],
    ["script-src 'nonce-AbC'", '', 'give the tag the nonce that script-src has.'],
    ["script-src 'nonce-AbC'", 'nonce="old"', 'write the same new nonce into both with each response.'],
    [`script-src 'strict-dynamic' 'sha256-x' ${server}`, '', 'add a nonce to script-src and to the tag.'],
    [`script-src ${server}/widget.js`, '', `allow all of ${server} in script-src.`],
    ["connect-src 'self'", '', `add ${server} to connect-src.`],
    [`default-src 'none'; script-src ${server}`, '', `add the directive connect-src ${server}.`],
  ])('%s with %j: %s', (policy, attributes, advice) => {
    expect(messageOf({ policy, tag: tagWith(attributes) })).toSatisfy((message: string) => message.endsWith(advice))
  })

  it.each([
    ["script-src 'nonce-AbC'", 'nonce="AbC"'],
    ["script-src 'nonce-AbC' 'strict-dynamic'", 'nonce="AbC"'],
    [`script-src '${loader}' 'strict-dynamic'`, `integrity="${loader}" crossorigin`],
    [`script-src '${loader}' 'sha384-panel'`, `integrity="${loader}" crossorigin`],
  ])('%s allows the tag with %s', (policy, attributes) => {
    expect(problems({ policy, tag: tagWith(attributes) })).toEqual([])
  })

  it('can be declared by the page, or only reported', () => {
    const declared = (name: string) => `<meta http-equiv="${name}" content="connect-src 'self'">`
    expect(problems({ head: declared('Content-Security-Policy') })).toEqual(['calls-blocked'])
    expect(problems({ head: declared('Content-Security-Policy-Report-Only') })).toEqual([])
  })

  it.each([
    ["require-trusted-types-for 'script'", []],
    ["require-trusted-types-for 'script'; trusted-types sitelore app", []],
    ["require-trusted-types-for 'script'; trusted-types app", ['script-blocked']],
    ["require-trusted-types-for 'script', trusted-types 'none'", ['script-blocked']],
    ['trusted-types app', []],
  ])('can require trusted types: %s', (policy, expected) => {
    expect(problems({ policy })).toEqual(expected)
  })

  it('can upgrade the address of the widget', () => {
    const tag = tagWith('', 'http://ask.example.com/widget.js')
    expect(problems({ tag })).toEqual(['mixed-content'])
    expect(problems({ tag, policy: 'upgrade-insecure-requests' })).toEqual([])
    expect(upgraded('http://ask.example.com/widget.js', []).href).toBe('http://ask.example.com/widget.js')
  })
})

describe('the address of the widget', () => {
  it('may be unencrypted on the own computer, and on an unencrypted page', () => {
    expect(problems({ tag: tagWith('', 'http://localhost:3000/widget.js') })).toEqual([])
    expect(problems({ url: 'http://shop.example/', tag: tagWith('', 'http://ask.example.com/widget.js') })).toEqual([])
  })

  it.each([
    [{ kind: 'status', status: 502 } as const, 'check the proxy in front of this server.'],
    [{ kind: 'redirected', to: 'https://www.ask.example.com' } as const, 'after the redirect.'],
    [{ kind: 'no-script' } as const, 'check the proxy in front of this server.'],
  ])('that has %j is reported', (script, advice) => {
    expect(messageOf({ facts: { script } })).toContain(advice)
  })

  it('that this server cannot reach is not blamed', () => {
    const script = { kind: 'failed', message: 'The server took too long to answer.' } as const
    expect(problems({ facts: { script, stream: 'unknown' } })).toEqual([])
    expect(
      problems({ facts: { script, stream: 'unknown' }, tag: tagWith('', 'https://old.example/widget.js') }),
    ).toEqual(['script-unreachable'])
    expect(problems({ facts: { script: { kind: 'private-network' } } })).toEqual([])
  })
})

describe('an agent', () => {
  it.each([0, 1, 2, 3, 5, 6, 7, 8] as const)('with the status %i cannot answer', (agentStatus) => {
    expect(messageOf({ facts: { agentStatus } })).toMatch(/^The agent cannot answer because [^.]+: [^.]+\.$/)
  })

  it('that has given all answers of the day cannot answer', () => {
    expect(problems({ facts: { isDailyLimitReached: true } })).toEqual(['agent-silent'])
  })
})

describe('a key', () => {
  it.each([
    [{ kind: 'private' } as const, 'private-key'],
    [{ kind: 'missing' } as const, 'wrong-key'],
    [{ kind: 'other-agent', name: 'Lamp helper' } as const, 'wrong-key'],
  ])('of %j is wrong', (keyOwner, problem) => {
    expect(problems({ facts: { keyOwner } })).toEqual([problem])
  })
})
