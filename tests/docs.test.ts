import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { run } from '../cli/run'
import { operationGroups } from '../contract/api/groups'
import { reasonCodes } from '../contract/reasons'
import { errorCodes, statusOf } from '../contract/values/error-codes'
import { foundFragmentSchema, searchExplanationSchema, searchViewSchema } from '../contract/views/chat/search-results'
import { readManual } from '../server/adapters/fetch/manual-pages'
import { environmentSchema } from '../server/config/config'
import { createPathPatterns } from '../server/engine/crawl/urls/url-patterns'

const manual = 'docs/manual'
const pages = new Map(readdirSync(manual).map((file) => [file, readFileSync(`${manual}/${file}`, 'utf8')]))
const pageNames = [...pages.keys()].map((file) => file.replace(/^\d+-|\.md$/g, ''))
const apiPage = pages.get('14-http-api.md') ?? ''
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found ?? '')
const sorted = (names: Iterable<string>) => [...new Set(names)].sort()

describe('settings', () => {
  const settings = sorted(Object.keys(environmentSchema.shape))

  it('match .env.example exactly', () => {
    expect(sorted(matches(readFileSync('.env.example', 'utf8'), /^#?([A-Z][A-Z0-9_]*)=/gm))).toEqual(settings)
  })

  it('match the configuration page exactly', () => {
    const rows = (pages.get('16-configuration.md') ?? '').split('\n').filter((line) => line.startsWith('|'))
    expect(sorted(matches(rows.join('\n'), /`([A-Z][A-Z0-9]*_[A-Z0-9_]+|PORT|HOST|FILES|PROCESS)`/g))).toEqual(settings)
  })
})

describe('the HTTP API', () => {
  const anyName = (path: string) => path.replaceAll(/\{\w+\}/g, '{}')

  it('is documented call by call', () => {
    const documented = sorted(matches(apiPage, /`[A-Z]+ (\/v1\/[^?`]*)/g).map(anyName))
    const paths = operationGroups.flatMap(({ operations }) => operations.map(({ path }) => path))
    expect(documented).toEqual(sorted(paths.map(anyName)))
  })

  it('has every error code with its status', () => {
    for (const code of errorCodes) expect(apiPage).toContain(`| ${statusOf[code]} | \`${code}\` |`)
  })

  it('has every field of a search that explains itself', () => {
    const page = pages.get('15-http-search.md') ?? ''
    const figures = foundFragmentSchema.shape.figures.unwrap()
    const dropped = searchExplanationSchema.shape.dropped.element
    const shapes = [searchViewSchema, foundFragmentSchema, figures, searchExplanationSchema, dropped]
    const fields = shapes.flatMap(({ shape }) => Object.keys(shape))
    expect(fields).toContain('vector_weight')
    expect(sorted(fields).filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })
})

describe('the command line', () => {
  const page = pages.get('13-command-line.md') ?? ''
  async function helpOf(...argv: string[]): Promise<string> {
    let text = ''
    const out = (part: string) => {
      text += part
    }
    await run([...argv, '--help'], { out, isTerminal: false, err: () => {}, columns: null, ...nowhere })
    return text
  }
  const nowhere = {
    environment: { NODE_ENV: 'test' as const },
    root: '.',
    folder: '.',
    signal: new AbortController().signal,
  }

  it('has every command on its page', async () => {
    const commands = matches(await helpOf(), /^ {2}([a-z][a-z-]+)(?: [[<].*)? {2,}\S/gm)
    expect(commands.length).toBeGreaterThan(15)
    expect(commands.filter((name) => !page.includes(`sitelore -- ${name}`))).toEqual([])
  })

  it('has every option of index there', async () => {
    const options = matches(await helpOf('index'), /^ {2}(?:-\w, )?(--[a-z-]+)/gm)
    expect(options).toContain('--include')
    expect(options.filter((name) => !page.includes(name))).toEqual([])
  })
})

describe('reasons', () => {
  it('appear on their page exactly once, and nothing else does', () => {
    const codes = matches(pages.get('09-reasons.md') ?? '', /^\| `([a-z0-9-]+)` \|/gm)
    expect([...codes].sort()).toEqual([...reasonCodes].sort())
  })

  it('have an anchor each', () => {
    const ids = matches(readManual(manual, '').page('reasons')?.html ?? '', / id="([^"]+)"/g)
    expect(reasonCodes.filter((code) => !ids.includes(code))).toEqual([])
    expect(ids).toEqual([...new Set(ids)])
  })
})

describe('patterns', () => {
  const rows = (pages.get('06-source-options.md') ?? '').split('\n').filter((line) => /^\| `[/*].* `\//.test(line))

  it.each(rows)('%s', (row) => {
    const [, first = '', second = ''] = row.split('|')
    const [pattern = ''] = matches(first, /`([^`]+)`/g)
    const { admits } = createPathPatterns({ include: [pattern] })
    const [yes = '', no = ''] = second.split('but not')
    for (const path of matches(yes, /`(\/[^`]+)`/g)) expect(admits(`https://example.com${path}`), path).toBe(true)
    for (const path of matches(no, /`([^`]+)`/g)) expect(admits(`https://example.com${path}`), path).toBe(false)
  })
})

describe('the manual', () => {
  it.each([...pages])('%s has a title, a description and sections', (_file, text) => {
    const [title, empty, description] = text.split('\n')
    expect(title).toMatch(/^# \S/)
    expect(empty).toBe('')
    expect(description).toMatch(/^[A-Z].{40,}\.$/)
    expect(text).toMatch(/^## /m)
  })

  it('links only to pages that it has', () => {
    const linked = [...pages.values()].flatMap((text) => matches(text, /\]\(\/help\/([^)#]*)/g))
    // The reference of the API is no file: it comes from the schemas.
    expect(sorted(linked).filter((name) => ![...pageNames, 'api'].includes(name))).toEqual([])
  })

  it('links only to anchors that it has', () => {
    const rendered = readManual(manual, '')
    const links = [...pages.values()].flatMap((text) => matches(text, /\]\(\/help\/([^)#]+#[^)]+)\)/g))
    const broken = links.filter((link) => {
      const [name = '', anchor = ''] = link.split('#')
      return !rendered.page(name)?.html.includes(` id="${anchor}"`)
    })
    expect(broken).toEqual([])
  })

  it('are all passed to the container by compose.yaml, but those that the container decides', () => {
    const compose = readFileSync('compose.yaml', 'utf8')
    expect(compose).toMatch(/env_file:\n +- path: \.env\n +required: false\n/)
    const [, overrides = ''] = /\n {4}environment:\n((?: {6}.*\n)+)/.exec(compose) ?? []
    const names = matches(overrides, /^ {6}([A-Z_]+):/gm)
    expect(sorted(names)).toEqual(['DATA_DIR', 'HOST', 'PORT', 'PUBLIC_URL'])
    // The address of the container is that of .env where it has one.
    expect(overrides).toContain('PUBLIC_URL: ${PUBLIC_URL:-')
  })

  it('names only files and scripts that exist', () => {
    const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts)
    const called = [...pages.values()].flatMap((text) => matches(text, /npm run (?:-s )?([\w:]+)/g))
    expect(sorted(called).filter((name) => !scripts.includes(name))).toEqual([])
    for (const file of ['.env.example', 'compose.yaml', 'fly.toml', 'Dockerfile']) expect(existsSync(file)).toBe(true)
  })
})
