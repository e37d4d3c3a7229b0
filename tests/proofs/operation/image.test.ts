import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signInOperator } from '../../support/cluster/operator'
import { freePort } from '../../support/cluster/servers'
import { makePdf } from '../../support/files/pdf'
import { type Site, startSite } from '../../support/sites/site'
import { until } from '../../support/until'

/** The mounted file system of the image; see .ci/image. */
const root = process.env.IMAGE_ROOT ?? ''
const maxImageBytes = 180 * 2 ** 20
const maxStopMs = 25_000

/** As a container engine runs it with --read-only, a volume and the image's user: nothing else can be written to. */
const inContainer = `
mount --bind "$IMAGE" "$IMAGE"
mount --bind "$VOLUME" "$IMAGE/data"
mount -t proc proc "$IMAGE/proc"
mount --rbind /dev "$IMAGE/dev"
mount -o remount,bind,ro "$IMAGE"
exec chroot --userspec=1000:1000 "$IMAGE" env -i -C /app PATH=/usr/local/bin:/usr/bin:/bin "$@"`

describe.runIf(root !== '')('the image', () => {
  const volume = mkdtempSync(join(tmpdir(), 'sitelore-volume-'))
  let settings: string[]
  let origin: string
  let server: ChildProcess
  let printed = ''
  let site: Site

  beforeAll(async () => {
    site = await startSite({
      '/': '<title>Lamps</title><main><h1>Lamps</h1><p>The Storm 40 shines for eleven hours.</p><a href="/manual.pdf">Manual</a></main>',
      '/manual.pdf': {
        headers: { 'content-type': 'application/pdf' },
        body: makePdf({ pages: [{ texts: [{ text: 'The cell of the Storm 40 is of type 21700.', x: 72, y: 700 }] }] }),
      },
    })
    chownSync(volume, 1000, 1000)
    const port = await freePort()
    origin = `http://localhost:${port}`
    settings = [
      ...['NODE_ENV=production', 'DATA_DIR=/data', 'HOST=127.0.0.1', `PORT=${port}`],
      ...['CRAWL_ALLOW_PRIVATE_NETWORKS=127.0.0.1', 'CRAWL_DELAY_MS=0', 'ORT_DISABLE_TELEMETRY=1'],
    ]
    server = spawn('unshare', ['--mount', 'sh', '-ec', inContainer, 'sh', ...settings, 'node', 'build/app/index.js'], {
      env: { ...process.env, IMAGE: root, VOLUME: volume },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [server.stdout, server.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        printed += text
      })
    await until(async () => {
      if (server.exitCode !== null) throw new Error(`The server ended: ${printed}`)
      return (await fetch(`${origin}/readyz`).catch(() => null))?.ok
    })
  })
  afterAll(async () => {
    server.kill('SIGKILL')
    await site.close()
  })

  async function command(...argv: string[]): Promise<string> {
    const words = ['--mount', 'sh', '-ec', inContainer, 'sh', ...settings, 'sitelore', ...argv]
    const env = { ...process.env, IMAGE: root, VOLUME: volume }
    return (await promisify(execFile)('unshare', words, { env })).stdout
  }

  it('holds at most 180 MB beside its base', () => {
    const bytes = Number(execFileSync('du', ['-sb', join(root, 'app')], { encoding: 'utf8' }).split('\t')[0])
    console.log(`The image holds ${(bytes / 2 ** 20).toFixed(0)} MB beside its base.`)
    expect(bytes).toBeLessThan(maxImageBytes)
  })

  it('lists the packages that it contains, and the texts of their licenses', () => {
    const sbom = JSON.parse(readFileSync(join(root, 'app/build/sbom.cdx.json'), 'utf8')) as {
      bomFormat: string
      components: { name: string }[]
    }
    expect(sbom.bomFormat).toBe('CycloneDX')
    const listed = new Set(sbom.components.map(({ name }) => name))
    const folder = join(root, 'app/node_modules')
    const installed = readdirSync(folder).flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((part) => `${name}/${part}`) : [name],
    )
    // An alias of an empty package.
    expect(installed.filter((name) => !listed.has(name))).toEqual(['onnxruntime-web'])
    const licenses = readFileSync(join(root, 'app/build/licenses.txt'), 'utf8')
    expect(licenses).toContain('express@')
    expect(licenses).toContain('SIL OPEN FONT LICENSE')
  })

  it('crawls a page and a PDF, and finds both, on a read-only root', async () => {
    const operator = await signInOperator({ origin, command })
    const crawled = await operator.crawl('Lamps', site)
    expect(await until(() => found('How long does it shine?'))).toContain(`${site.origin}/`)
    expect(await until(() => found('Which type is the cell?'))).toContain(`${site.origin}/manual.pdf`)
    expect(await command('doctor')).toContain('Embedding')

    async function found(query: string): Promise<string[] | null> {
      const links = (await operator.search(crawled, query)).map((link) => link.replace(/#.*$/, ''))
      return links.length === 0 ? null : links
    }
  })

  it('writes its version into its label', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(readFileSync('Dockerfile', 'utf8')).toContain(`org.opencontainers.image.version=${version}\n`)
  })

  it('stops at SIGTERM, and leaves no lock behind', async () => {
    const startedAt = performance.now()
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(performance.now() - startedAt).toBeLessThan(maxStopMs)
    expect(existsSync(join(volume, 'sitelore.db-wal'))).toBe(false)
  })
})
