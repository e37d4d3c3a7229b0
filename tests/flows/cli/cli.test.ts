import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engine } from '../../../db/engine'
import { system } from '../../../server/actor'
import type { App, Overrides } from '../../../server/app'
import { createTestApp } from '../../support/app'
import { createTestCli, type TestCli } from '../../support/cli'
import { lampSite, type Site, startSite } from '../../support/sites/site'
import { until } from '../../support/until'

const page = (title: string, text: string) =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${text}</p></main>`

async function onlyOrganization(app: App): Promise<string | undefined> {
  return (await app.services.installation.organizations())[0]?.id
}

describe('index and search', () => {
  let site: Site
  let cli: TestCli
  beforeAll(async () => {
    site = await lampSite()
    cli = await createTestCli()
  })
  afterAll(() => site.close())

  it('indexes a site into a collection of its own', async () => {
    const { code, out, err } = await cli.run(['index', site.origin])
    expect(err).toContain('Crawling pages')
    expect(code).toBe(0)
    expect(out).toContain(`in collection ${new URL(site.origin).host}`)
    expect(out).toMatch(/\n1\d checked, 12 new, 4 failed, 1 redirect\n$/)
    expect(out).toContain(`failed  ${site.origin}/missing  The page does not exist (404). Check the address.`)
    expect(out).toMatch(/\d+ fragments can only be found by keyword search/)
  })

  it('finds its fragments, with the fields that scripts rely on', async () => {
    const { code, json } = await cli.run(['search', 'change', 'the', 'battery', '--json'])
    expect(code).toBe(0)
    const { fragments } = json() as { fragments: Record<string, unknown>[] }
    expect(Object.keys(json())).toEqual(['corrected_query', 'fragments'])
    expect(Object.keys(fragments[0]!)).toEqual([
      'id',
      'score',
      'url',
      'link',
      'title',
      'headings',
      'content',
      'passage',
    ])
    expect(fragments[0]).toMatchObject({
      url: `${site.origin}/help/battery`,
      title: 'Changing the battery of a Storm 40',
    })
  })

  it('prints results for people', async () => {
    const { code, out, err } = await cli.run(['search', 'battery', '--limit', '1'])
    expect(code).toBe(0)
    expect(out).toMatch(
      /^1\. Changing the battery of a Storm 40 {2}[01]\.\d{4} \((Strong|Fair|Weak) match\)\n {3}http.*\/help\/battery.*\n {3}\S/,
    )
    expect(out).not.toContain('2. ')
    expect(err).toContain('Keyword search only')
  })

  it('filters a search, and explains it', async () => {
    const collection = await cli.run([
      'search',
      'battery',
      '--path',
      '/help/**',
      '--source',
      site.origin,
      '--type',
      'page',
      '--json',
    ])
    const { fragments } = collection.json() as { fragments: { url: string }[] }
    expect(collection.code, collection.err).toBe(0)
    expect(fragments.length).toBeGreaterThan(0)
    expect(fragments.every(({ url }) => url.startsWith(`${site.origin}/help/`))).toBe(true)
    const none = await cli.run(['search', 'battery', '--fetched-since', '2100-01-01', '--explain'])
    expect([none.code, none.out]).toEqual([0, expect.stringContaining('Nothing found.')])
    expect(none.out).toContain('Fragments that match the filters: 0\n')
    const { out, json } = await cli.run(['search', 'change the battery', '--limit', '1', '--explain'])
    expect(out).toMatch(
      /keyword rank 1 \(BM25 \d+\.\d\d\); no vector rank; no embedding; fusion .*; term coverage 100 %/,
    )
    expect(out).toContain('Terms: change battery\n')
    expect(out).toMatch(
      /Not shown:\n {3}[01]\.\d{4} {2}.*\S: (over the limit|below the threshold|limit per address reached)\n/,
    )
    expect(() => json()).toThrow()
    const figures = (await cli.run(['search', 'battery', '--limit', '1', '--explain', '--json'])).json()
    expect(figures).toMatchObject({
      fragments: [{ figures: { keyword_rank: 1 } }],
      explanation: { words: ['battery'] },
    })
  })

  it('refreshes the source when called again, whatever its collection', async () => {
    const { code, json } = await cli.run(['index', `${site.origin}/`, '--json'])
    expect(code).toBe(0)
    expect(json()).toMatchObject({ source_status: 'idle', fetched: 0, new: 0, fragments: 0 })
    expect(json().unchanged).toBeGreaterThan(10)
    const app = await createTestApp({ DATA_DIR: cli.dataDir })
    const id = String(json().collection_id)
    const organizationId = String(await onlyOrganization(app.app))
    const { total } = await app.app.services.sources.list(
      system,
      { organizationId, collectionId: id },
      { page: 1, limit: 10 },
    )
    expect(total).toBe(1)
    await app.close()
  })

  it('adds another address to the named collection, with a guessed type', async () => {
    const { code, out } = await cli.run(['index', `${site.origin}/help/cleaning`, '--collection', 'Care'])
    expect(code).toBe(0)
    expect(out).toMatch(/\n1 checked, 1 new\n$/)
    const several = await cli.run(['search', 'vinegar'])
    expect(several.code).toBe(2)
    expect(several.err).toMatch(/Choose one with --collection:\n {2}Care {2}\([0-9a-f-]+\)\n {2}127/)
    const found = await cli.run(['search', 'vinegar', '--collection', 'Care'])
    expect(found.out).toContain('Cleaning glass and linen')
  })
})

describe('failures of index', () => {
  it('exits with 1 and the reason if nothing could be indexed', async () => {
    const site = await startSite({})
    await site.close()
    const cli = await createTestCli()
    const { code, out, err } = await cli.run(['index', `${site.origin}/page`, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ source_status: 'fail' })
    expect(err).toContain(`${site.origin}/page could not be read: `)
  })

  it('keeps its progress on Ctrl-C and continues from there', async () => {
    const links = Array.from({ length: 12 }, (_, index) => `<a href="/${index}">${index}</a>`).join(' ')
    const pages = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `/${index}`,
        { body: page(`Lamp ${index}`, `Lamp number ${index} shines over the harbour.`), delayMs: 150 },
      ]),
    )
    const site = await startSite({ ...pages, '/': page('All lamps', `Here are all of our lamps. ${links}`) })
    const cli = await createTestCli()
    const stopping = new AbortController()
    const stopped = cli.run(['index', site.origin], { signal: stopping.signal })
    await until(() => site.visited().length > 4)
    stopping.abort()
    const { code, err } = await stopped
    expect(code).toBe(1)
    expect(err).toContain('What was indexed so far stays')
    const before = site.visited().length
    expect(before).toBeLessThan(13)

    const again = await cli.run(['index', site.origin, '--json'])
    expect(again.code).toBe(0)
    expect(again.json()).toMatchObject({ source_status: 'idle', checked: 13, new: 13 })
    // Only what was under way is asked for twice.
    expect(site.visited().length).toBeLessThanOrEqual(13 + 5)
    await site.close()
  })

  // A worker feeds OpenSearch; this server has none.
  it.runIf(engine === 'sqlite')('passes the work to a running server', async () => {
    const site = await lampSite()
    const cli = await createTestCli()
    const server = await createTestApp({ DATA_DIR: cli.dataDir })
    const fetcher = { fetch: () => Promise.reject(new Error('The command line must not fetch.')) }
    const stopping = new AbortController()
    const overrides = { embedder: async () => null, fetcher } as unknown as Overrides
    const result = cli.run(['index', `${site.origin}/lamps/meadow`], { overrides, signal: stopping.signal })
    // The server reads the page; its vectors are waited for, until somebody loses patience.
    const organizationId = await until(() => onlyOrganization(server.app))
    await until(
      async () =>
        (await server.app.services.collections.list(system, organizationId, { page: 1, limit: 10 })).docs[0]?.fragments,
    )
    stopping.abort()
    expect((await result).code).toBe(1)
    expect(site.visited()).toEqual(['/lamps/meadow'])
    const found = await cli.run(['search', 'linen', 'shade'])
    expect(found.err).toBe('Keyword search only: no embeddings are available.\n')
    expect(found.out).toContain('Meadow bedroom lamp')
    await server.close()
    await site.close()
  })
})

describe('invalid use', () => {
  it.each([
    [[], 'Usage: sitelore'],
    [['fly'], "unknown command 'fly'"],
    [['search'], "missing required argument 'words'"],
    [['search', 'word', '--limit', '90'], '--limit: must be a whole number from 1 to 25'],
    [['search', 'word', '--threshold', 'high'], '--threshold: must be a number from 0 to 1.'],
    [['search', 'word', '--type', 'zip'], '--type: must be one of page, txt, pdf'],
    [['search', 'word', '--path', 'docs'], '--path: A pattern is a path'],
    [['search', 'word', '--published-since', 'soon'], '--published-since: must be a day or a time'],
    [['search', ' '], 'Type what you are looking for.'],
    [['index', 'https://example.com', '--type', 'file'], 'Allowed choices are url, sitemap, domain'],
    [['index', 'ftp://example.com/'], 'you need to input a full address'],
    [['search', 'word', '--colection', 'x'], "unknown option '--colection'"],
    [['token', 'create', 'ada@example.com', '--name', 'x', '--days', '0'], '--days: Expiry is a whole number of days'],
    [['token', 'create', 'ada@example.com', '--name', ' '], '--name: Name is required.'],
    [['token', 'create', 'ada@example.com'], "required option '--name <text>'"],
    [['search', 'word', '--organization', 'Nobody'], "There is no organization 'Nobody'"],
    [['restore', 'missing.tar.gz'], 'There is no file'],
  ])('%j exits with 2', async (argv, words) => {
    const cli = await createTestCli()
    const { code, out, err } = await cli.run(argv)
    expect(err).toContain(words)
    expect(code).toBe(2)
    expect(out).toBe('')
  })

  it.each([
    [[], 2, 'usage', 'Name a command. Add --help to see them.'],
    [['fly'], 2, 'usage', "unknown command 'fly'"],
    [['search', '--limit'], 2, 'usage', "option '--limit <n>' argument missing"],
    [['search', 'word', '--limit', '90'], 2, 'usage', '--limit: must be a whole number from 1 to 25.'],
    [['index', 'ftp://example.com/'], 2, 'usage', 'ftp://example.com/: Invalid url provided'],
    [['search', 'word'], 1, 'failed', 'There is nothing to search yet.'],
    [['users', 'promote', 'nobody@example.com'], 1, 'not_found', 'nobody@example.com'],
    [['index', 'http://127.0.0.1:1/page'], 1, 'failed', 'could not be read'],
  ] as [string[], number, string, string][])(
    '%j --json prints the error as JSON to stderr',
    async (argv, exit, word, says) => {
      const cli = await createTestCli()
      const { code, err } = await cli.run([...argv, '--json'])
      expect(code).toBe(exit)
      const { error } = JSON.parse(err) as { error: Record<string, string> }
      expect(Object.keys(error)).toEqual(['code', 'message'])
      expect(error.code).toBe(word)
      expect(error.message).toContain(says)
    },
  )

  it('prints an invalid configuration as JSON as well, and the stack trace on request', async () => {
    const wrong = await (await createTestCli({ PORT: 'many' })).run(['--json', 'search', 'word'])
    expect(wrong.code).toBe(1)
    expect(JSON.parse(wrong.err)).toMatchObject({
      error: { code: 'configuration', message: expect.stringMatching(/^PORT: /) },
    })
    const debugged = await (await createTestCli({ LOG_LEVEL: 'debug' })).run([
      'search',
      'word',
      '--limit',
      '0',
      '--json',
    ])
    expect(JSON.parse(debugged.err)).toMatchObject({ error: { code: 'usage', stack: expect.stringContaining('cli/') } })
  })

  it('describes an invalid configuration in one line', async () => {
    const cli = await createTestCli({ PORT: 'many' })
    const { code, err } = await cli.run(['search', 'word'])
    expect(code).toBe(1)
    expect(err).toMatch(/^PORT: .*\n$/)
  })

  it('shows examples in the help of every command', async () => {
    const cli = await createTestCli()
    const { code, out } = await cli.run(['--help'])
    expect(code).toBe(0)
    const commands = [...out.matchAll(/^ {2}([a-z-]+)(?: |$).* {2,}\S/gm)].map(([, name]) => name!)
    expect(commands).toEqual(
      expect.arrayContaining([
        ...['index', 'sources', 'runs', 'pause', 'resume', 'cancel', 'addresses', 'retry', 'ignore'],
        ...['search', 'ask', 'users', 'setup-link', 'token', 'plans', 'backup', 'restore', 'doctor'],
      ]),
    )
    for (const name of commands.filter((command) => !command.startsWith('-'))) {
      const help = await cli.run([name, '--help'])
      expect(help.code).toBe(0)
      expect(help.out).toMatch(/Examples:\n {2}sitelore /)
    }
  })
})

describe('organizations', () => {
  it('creates Local for a command that needs one, and asks if there are several', async () => {
    const cli = await createTestCli()
    const none = await cli.run(['search', 'word'])
    expect(none.code).toBe(1)
    expect(none.err).toContain('There is nothing to search yet')
    const { app, close } = await createTestApp({ DATA_DIR: cli.dataDir })
    const { name, plan } = await app.services.organizations.get(system, String(await onlyOrganization(app)))
    expect([name, plan.name]).toEqual(['Local', 'unlimited'])
    await app.services.organizations.create(system, { name: 'Other', entity_name: '' })
    await close()
    const several = await cli.run(['search', 'word'])
    expect(several.code).toBe(2)
    expect(several.err).toMatch(/--organization:\n {2}Local {2}\(.*\)\n {2}Other {2}\(/)
    expect((await cli.run(['search', 'word', '--organization', 'Other'])).err).toContain(
      'There is nothing to search yet',
    )
  })
})
