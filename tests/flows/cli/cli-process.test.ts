import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lampSite, startSite } from '../../support/sites/site'
import { until } from '../../support/until'

/** The command line as a person starts it: a process, the real model, pipes. */
async function start(dataDir: string, ...argv: string[]): Promise<ChildProcess> {
  const { LOG_LEVEL: _, ...environment } = process.env
  const variables = { DATA_DIR: dataDir, CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1', CRAWL_DELAY_MS: '0', PORT: '3999' }
  return spawn(process.execPath, ['build/app/cli.js', ...argv], {
    env: { ...environment, ...variables },
  })
}

async function answerOf(child: ChildProcess) {
  const text = { out: '', err: '' }
  child.stdout?.on('data', (part) => {
    text.out += part
  })
  child.stderr?.on('data', (part) => {
    text.err += part
  })
  const [code] = await once(child, 'close')
  return { code: code as number, ...text }
}

describe('the process', { timeout: 180_000 }, () => {
  it('indexes with embeddings, searches semantically, and prints only results to stdout', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sitelore-cli-'))
    const site = await lampSite()
    const indexed = await answerOf(await start(dataDir, 'index', `${site.origin}/lamps/meadow`, '--json'))
    await site.close()
    expect(indexed.code).toBe(0)
    expect(JSON.parse(indexed.out)).toMatchObject({ source_status: 'idle', pending_embeddings: 0, new: 1 })

    // No word of it is on the page.
    const found = await answerOf(await start(dataDir, 'search', 'gentle', 'illumination', 'while', 'dozing', '--json'))
    expect(found.err).toBe('')
    expect(found.code).toBe(0)
    const { fragments } = JSON.parse(found.out) as { fragments: { title: string; score: number }[] }
    expect(fragments[0]?.title).toBe('Meadow bedroom lamp')
  })

  it("reads the settings of the folder's .env, as the server does", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sitelore-cli-'))
    for (const name of ['build', 'db', 'docs', 'models', 'node_modules', 'package.json'])
      await symlink(resolve(name), join(folder, name))
    await writeFile(join(folder, '.env'), 'DATA_DIR=./elsewhere\nPORT=3998\n')
    const { DATA_DIR: _data, PORT: _port, ...env } = process.env
    const child = spawn(process.execPath, ['build/app/cli.js', 'doctor'], { cwd: folder, env })
    const { out } = await answerOf(child)
    expect(out).toContain(join(folder, 'elsewhere'))
    expect(out).toContain('3998')
  })

  it('exits on Ctrl-C', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sitelore-cli-'))
    const site = await startSite({ '/page': { delayMs: 'never' } })
    const child = await start(dataDir, 'index', `${site.origin}/page`)
    const answer = answerOf(child)
    await until(() => site.visited().length > 0)
    child.kill('SIGINT')
    const { code, out, err } = await answer
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('What was indexed so far stays')
    await site.close()
  })

  it('exits with 2 and one line for an invalid option, with 1 for an invalid data folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sitelore-cli-'))
    const wrong = await answerOf(await start(folder, 'search', 'word', '--limit', 'all'))
    expect(wrong).toEqual({ code: 2, out: '', err: '--limit: must be a whole number from 1 to 25.\n' })
    await writeFile(join(folder, 'file'), '')
    const unwritable = await answerOf(await start(join(folder, 'file'), 'setup-link'))
    expect(unwritable).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^DATA_DIR: .*\n$/) })
  })
})
