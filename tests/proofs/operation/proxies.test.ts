import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { threads } from '../../../db/schema/threads'
import { type ApiWorld, startApiWorld } from '../../support/api/api-world'
import { freePort } from '../../support/cluster/servers'
import { until } from '../../support/until'

const folder = mkdtempSync(join(tmpdir(), 'sitelore-proxy-'))
const certificate = join(folder, 'cert.pem')
const key = join(folder, 'key.pem')

interface Proxy {
  /** Writes the example of deploy/ for these ports, and returns the command that runs it. */
  command(ports: { https: number; http: number; site: number }): string[]
  isInstalled: boolean
}

function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

/** The example with the names, ports and files of this test; each replacement must be there. */
function example(file: string, changes: [string, string][]): string {
  return changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${file} has no '${from}'.`)
      return text.replaceAll(from, to)
    },
    readFileSync(file, 'utf8'),
  )
}

const proxies: Record<string, Proxy> = {
  nginx: {
    isInstalled: isInstalled('nginx'),
    command({ https, http, site }) {
      const server = example('deploy/nginx/sitelore.conf', [
        ['listen 80;', `listen 127.0.0.1:${http};`],
        ['listen 443 ssl http2;', `listen 127.0.0.1:${https} ssl http2;`],
        ['ask.example.com;', 'localhost;'],
        ['/etc/letsencrypt/live/ask.example.com/fullchain.pem', certificate],
        ['/etc/letsencrypt/live/ask.example.com/privkey.pem', key],
        ['127.0.0.1:3000', `127.0.0.1:${site}`],
        ['proxy_set_header Host $host;', `proxy_set_header Host $host:${https};`],
      ])
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      const paths = temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ')
      const config = join(folder, 'nginx.conf')
      writeFileSync(
        config,
        `daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr; events {}\nhttp { access_log off; ${paths}\n${server}\n}`,
      )
      return ['nginx', '-c', config, '-p', folder]
    },
  },
  caddy: {
    isInstalled: isInstalled('caddy'),
    command({ https, http, site }) {
      const config = join(folder, 'Caddyfile')
      const server = example('deploy/caddy/Caddyfile', [
        ['ask.example.com {', `https://localhost:${https} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
        ['127.0.0.1:3000', `127.0.0.1:${site}`],
      ])
      writeFileSync(config, `{\n\tadmin off\n\tauto_https disable_redirects\n\thttp_port ${http}\n}\n${server}`)
      return ['caddy', 'run', '--config', config, '--adapter', 'caddyfile']
    },
  },
}

beforeAll(() => {
  mkdirSync(folder, { recursive: true })
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...subject], {
    stdio: 'ignore',
  })
})

for (const [name, proxy] of Object.entries(proxies))
  describe.runIf(proxy.isInstalled)(`behind ${name}`, () => {
    let world: ApiWorld
    let child: ChildProcess
    let port: number
    let printed = ''

    beforeAll(async () => {
      port = await freePort()
      const http = await freePort()
      world = await startApiWorld(undefined, {
        PUBLIC_URL: `https://localhost:${port}`,
        TRUSTED_PROXIES: '127.0.0.1',
        VISITOR_IP: 'full',
      })
      const site = Number(new URL(world.listening).port)
      const [command = '', ...args] = proxy.command({ https: port, http, site })
      child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: folder } })
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => {
          printed += text
        })
      await until(async () => {
        if (child.exitCode !== null) throw new Error(`The proxy ended: ${printed}`)
        return (await call('GET', '/healthz').catch(() => null))?.status === 200
      })
    })
    afterAll(async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await world.close()
    })

    interface Called {
      status: number
      headers: Record<string, string | string[] | undefined>
      text: string
      /** When each part of the body arrived, ms after the request. */
      arrivals: number[]
    }

    function call(method: string, path: string, headers: Record<string, string> = {}, body?: Buffer): Promise<Called> {
      return new Promise((resolve, reject) => {
        const startedAt = performance.now()
        const options = { host: 'localhost', port, path, method, headers, ca: readFileSync(certificate) }
        const sent = request(options, (response) => {
          const arrivals: number[] = []
          let text = ''
          response.setEncoding('utf8').on('data', (part: string) => {
            arrivals.push(performance.now() - startedAt)
            text += part
          })
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, arrivals }),
          )
          response.on('error', reject)
        })
        sent.on('error', reject)
        sent.end(body)
      })
    }

    const ask = (headers: Record<string, string> = {}) => {
      const bearer = `Bearer ${world.credentials['private-key'].bearer}`
      const json = {
        authorization: bearer,
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...headers,
      }
      return call('POST', '/v1/public/chat', json, Buffer.from(JSON.stringify({ prompt: 'Which lamp?', stream: true })))
    }

    it('streams an answer as it is written', async () => {
      world.provider.next({ kind: 'answer', text: 'one two three four five six', chunkDelayMs: 150 })
      const { status, arrivals, text } = await ask()
      expect(status).toBe(200)
      expect(text.match(/event: text-delta/g)?.length).toBeGreaterThan(3)
      // Buffered, all would arrive at the end.
      expect(Math.max(...arrivals) - Math.min(...arrivals)).toBeGreaterThan(500)
    })

    it('passes on the address of the visitor, and not the one that the visitor claims', async () => {
      const { text } = await ask({ 'x-forwarded-for': '203.0.113.7' })
      const [, threadId = ''] = /"threadId":"([^"]+)"/.exec(text) ?? []
      const [row] = await world.app.db.read.select().from(threads).where(eq(threads.id, threadId))
      expect(row?.metaIp).toBe('127.0.0.1')
    })

    it('says that the site is behind TLS', async () => {
      const { headers, status } = await call('GET', '/healthz')
      expect(status).toBeLessThan(400)
      expect(headers['strict-transport-security']).toContain('max-age')
    })

    it('lets a file of 60 MB through', async () => {
      const { organization, collection } = world.own
      const form = new FormData()
      form.set('type', 'file')
      form.set('name', 'Lamps')
      form.set('file', new Blob([Buffer.alloc(60 * 2 ** 20, 'The Storm 40 shines for eleven hours. ')]), 'lamps.txt')
      const body = new Response(form)
      const { status, text } = await call(
        'POST',
        `/v1/${organization}/sources/${collection}`,
        {
          authorization: `Bearer ${world.credentials.admin.bearer}`,
          'content-type': body.headers.get('content-type') ?? '',
        },
        Buffer.from(await body.arrayBuffer()),
      )
      expect([status, text]).toEqual([201, expect.any(String)])
    })
  })
