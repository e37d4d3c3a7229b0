import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AddressView } from '../../../contract/views/address'
import type { RunReport } from '../../../contract/views/run'
import type { SourceView } from '../../../contract/views/source'
import { createTestCli, type TestCli } from '../../support/cli'
import { lampSite, type Site, startSite } from '../../support/sites/site'
import { until } from '../../support/until'

const page = (title: string, links: string[] = []) =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>All about ${title}, and nothing but ${title}.</p>${links
    .map((path) => `<a href="${path}">${path}</a>`)
    .join(' ')}</main>`

describe('a source', () => {
  let site: Site
  let cli: TestCli
  beforeAll(async () => {
    site = await lampSite()
    cli = await createTestCli()
    expect((await cli.run(['sources'])).out).toBe('There are no sources yet.\n')
    await cli.run(['index', site.origin, '--collection', 'Lamps'])
    await cli.run(['index', site.origin])
    await cli.run(['index', `${site.origin}/help/battery`, '--collection', 'Help'])
  })
  afterAll(() => site.close())

  const addressNamed = async (path: string): Promise<AddressView | undefined> => {
    const { json } = await cli.run(['addresses', '--collection', 'Lamps', '--filter', path, '--json'])
    return (json().addresses as AddressView[]).find(({ url }) => url === site.origin + path)
  }

  it('is listed with its status and its last run', async () => {
    const { code, out } = await cli.run(['sources'])
    expect(code).toBe(0)
    expect(out).toMatch(/^http\S+\/ {2}in Lamps {2}Idle {2}\d+ URLs$/m)
    expect(out).toMatch(
      /^ {2}last run: \d{4}-\d\d-\d\d \d\d:\d\d UTC {2}1\d checked, 12 unchanged, 4 failed, 1 redirect \(\d+ s\)$/m,
    )
    expect(out).toMatch(/^ {2}next run: \d{4}-/m)
    const { json } = await cli.run(['sources', '--collection', 'Help', '--json'])
    expect(json().sources).toMatchObject([
      { url: `${site.origin}/help/battery`, collection_name: 'Help', status: 'idle', last_run: { new: 1 } },
    ])
  })

  it('has run reports, found by its address, name or id', async () => {
    const { code, out } = await cli.run(['runs', site.origin])
    expect(code).toBe(0)
    expect(out.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/UTC {2}1\d checked, 12 unchanged, 4 failed, 1 redirect \(/),
      expect.stringMatching(/UTC {2}1\d checked, 12 new, 4 failed, 1 redirect \(/),
    ])
    const { source_id: id, runs } = (await cli.run(['runs', site.origin, '--json'])).json()
    expect((runs as RunReport[]).map(({ kind, rejected }) => [kind, rejected.length > 2])).toEqual([
      ['full', true],
      ['full', true],
    ])
    expect((await cli.run(['runs', String(id), '--json'])).json().runs).toEqual(runs)
    const wrong = await cli.run(['runs', 'https://unknown.example'])
    expect([wrong.code, wrong.out]).toEqual([2, ''])
    expect(wrong.err).toContain(`There is no source 'https://unknown.example'. There are:`)
  })

  it('shows why each excluded address is not indexed', async () => {
    const { code, out } = await cli.run(['addresses', '--collection', 'Lamps'])
    expect(code).toBe(0)
    expect(out).toMatch(/^Failed +http\S+\/private\/prices {2}robots-disallowed {2}robots\.txt blocks Sitelore/m)
    expect(out).toMatch(/^Skipped +http\S+\/old-storm {2}redirected {2}This address redirects to another one/m)
    expect(out).not.toContain('/help/battery')
    expect(out).toMatch(/\n5 addresses\n$/)
    const only = async (...argv: string[]) =>
      (
        (await cli.run(['addresses', '--collection', 'Lamps', ...argv, '--json'])).json().addresses as AddressView[]
      ).map(({ url }) => new URL(url).pathname)
    expect(await only('--reason', 'noindex')).toEqual(['/members'])
    expect(await only('--status', 'idle')).toHaveLength(13)
    expect(await only('--filter', 'battery')).toEqual(['/help/battery'])
    const ofSource = await cli.run(['addresses', '--source', `${site.origin}/help/battery`])
    expect(ofSource.out).toBe('0 addresses\n')
    const elsewhere = await cli.run(['addresses', '--source', site.origin, '--collection', 'Help'])
    expect([elsewhere.code, elsewhere.out]).toEqual([2, ''])
    expect(elsewhere.err).toContain(`There is no source '${site.origin}'.`)
    const wrong = await cli.run(['addresses', '--collection', 'Lamps', '--reason', 'bad-mood'])
    expect([wrong.code, wrong.err]).toEqual([2, '--reason: There is no such reason\n'])
  })

  it('excludes an ignored address until it is retried', async () => {
    const url = `${site.origin}/warranty`
    const ignored = await cli.run(['ignore', url])
    expect(ignored.code, ignored.err).toBe(0)
    expect(ignored.out).toMatch(/^Ignored +http\S+\/warranty {2}ignored {2}Someone excluded this address.*in Lamps$/m)
    await cli.run(['index', site.origin, '--collection', 'Lamps'])
    expect(await addressNamed('/warranty')).toMatchObject({ ignored: true, fragments: 0 })

    const retried = await cli.run(['retry', url, '--json'])
    expect(retried.code, retried.err).toBe(0)
    expect(retried.json().addresses).toMatchObject([{ url, ignored: false, status: 'idle', fragments: 1 }])
    expect((await cli.run(['runs', site.origin])).out).toMatch(/^\S+ \S+ UTC \(one address\) {2}1 checked, /)
    const wrong = await cli.run(['retry', `${site.origin}/unheard-of`])
    expect([wrong.code, wrong.out]).toEqual([2, ''])
  })

  it('is found in the named collection, whatever the case of the name', { timeout: 60_000 }, async () => {
    await cli.run(['index', `${site.origin}/help/battery`, '--collection', 'Tests', '--type', 'url'])
    const several = await cli.run(['runs', `${site.origin}/help/battery`])
    expect([several.code, several.out]).toEqual([2, ''])
    expect(several.err).toContain('choose with --collection')
    const answer = await cli.run(['runs', `${site.origin}/help/battery`, '--collection', 'tests'])
    expect(answer.code, answer.err).toBe(0)
    expect(answer.out.trimEnd().split('\n')).toEqual([expect.stringMatching(/1 checked, 1 new/)])
    const paused = await cli.run(['pause', `${site.origin}/help/battery`, '--collection', 'HELP', '--json'])
    expect(paused.json().source).toMatchObject({ collection_name: 'Help' })
    const none = await cli.run(['sources', '--collection', 'Nowhere'])
    expect([none.code, none.out]).toEqual([2, ''])
    const ignored = await cli.run(['ignore', `${site.origin}/help/battery`, '--collection', 'tests', '--json'])
    expect(ignored.json().addresses).toHaveLength(1)
    expect(await addressNamed('/help/battery')).toMatchObject({ ignored: false })
  })

  it('ignores pause, resume and cancel without a run', async () => {
    for (const command of ['pause', 'resume', 'cancel']) {
      const { code, json } = await cli.run([command, `${site.origin}/help/battery`, '--collection', 'Help', '--json'])
      expect(code).toBe(0)
      expect(json().source).toMatchObject({ status: 'idle', paused: false, last_run: { cancelled: false } })
    }
  })
})

it('retries an address in each source that admits it, although others exclude it', {
  timeout: 60_000,
}, async () => {
  const site = await startSite({ '/': page('Front', ['/news']), '/news': page('News') })
  const cli = await createTestCli()
  try {
    for (const collection of ['First', 'Second', 'Third']) {
      const without = collection === 'Second' ? [] : ['--exclude', '/news']
      expect((await cli.run(['index', site.origin, '--collection', collection, ...without])).code).toBe(0)
    }
    site.set('/news', page('Later news'))
    const { code, err } = await cli.run(['retry', `${site.origin}/news`])
    expect([code, err]).toEqual([1, expect.stringContaining('patterns exclude this address')])
    const found = await cli.run(['addresses', '--collection', 'Second', '--filter', 'Later'])
    expect(found.out).toContain(`${site.origin}/news`)
  } finally {
    await site.close()
  }
})

describe('an active run', () => {
  const count = 30
  let site: Site
  let cli: TestCli
  beforeAll(async () => {
    const paths = Array.from({ length: count }, (_, index) => `/${index}`)
    site = await startSite({
      '/': page('Everything', paths),
      ...Object.fromEntries(paths.map((path) => [path, { body: page(`Lamp ${path}`), delayMs: 60 }])),
    })
    cli = await createTestCli()
  })
  afterAll(() => site.close())

  const visited = (more: number) => {
    const wanted = site.visited().length + more
    return until(() => site.visited().length >= wanted)
  }
  const source = async () => ((await cli.run(['sources', '--json'])).json().sources as SourceView[])[0]

  it('stops on pause and continues on resume', { timeout: 60_000 }, async () => {
    const held = cli.run(['index', site.origin])
    await visited(8)
    const paused = await cli.run(['pause', site.origin])
    expect(paused.code).toBe(0)
    expect(paused.out).toMatch(/^http\S+ {2}in \S+ {2}Paused {2}\d+ URLs$/m)
    const { code, err } = await held
    expect(code).toBe(1)
    expect(err).toContain(`is paused. Continue with: sitelore resume ${site.origin}/`)
    expect(site.visited().length).toBeLessThan(count)

    const resumed = await cli.run(['resume', site.origin])
    expect(resumed.code, resumed.err).toBe(0)
    expect(resumed.out.trimEnd()).toMatch(new RegExp(`\n${count + 1} checked, ${count + 1} new$`))
    expect(await source()).toMatchObject({ status: 'idle', paused: false })
  })

  it('ends on cancel, also when paused, and keeps the fetched pages', { timeout: 60_000 }, async () => {
    const running = cli.run(['index', site.origin])
    await visited(5)
    const cancelled = await cli.run(['cancel', site.origin])
    expect(cancelled.code, cancelled.err).toBe(0)
    expect(cancelled.out).toMatch(/\d+ checked, .*, cancelled \(/)
    const { code, out } = await running
    expect(code).toBe(0)
    expect(out).toContain('Cancelled.')

    const held = cli.run(['index', site.origin])
    await visited(5)
    await cli.run(['pause', site.origin])
    await held
    const ended = await cli.run(['cancel', site.origin, '--json'])
    expect(ended.code, ended.err).toBe(0)
    expect(ended.json().source).toMatchObject({ paused: false, status: 'idle', last_run: { cancelled: true } })
    expect((await source())?.addresses).toBe(count + 1)
  })
})
