import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtAssets } from './create-server'

const script = `const texts = ${JSON.stringify('lamp '.repeat(1_000))}`
let server: Server
let origin: string

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assets-'))
  await mkdir(join(folder, 'assets'))
  const file = join(folder, 'assets', 'page-abc.js')
  await writeFile(file, script)
  await writeFile(`${file}.br`, brotliCompressSync(script))
  await writeFile(`${file}.gz`, gzipSync(script))
  await writeFile(join(folder, 'assets', 'small.js'), 'let a')
  const site = express()
  server = createServer(site)
  await builtAssets(folder)(site, server)
  site.use((req, res) => void res.send(`A route: ${req.path}`))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const read = (path: string, encoding: string) => fetch(origin + path, { headers: { 'accept-encoding': encoding } })

describe('built assets', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('are sent as the client takes them: %s', async (accepted, encoding) => {
    const response = await read('/assets/page-abc.js', accepted)
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('content-type')).toMatch(/^(text|application)\/javascript/)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('vary')).toContain('Accept-Encoding')
    expect(await response.text()).toBe(script)
  })

  it('are sent as they are without a compressed form', async () => {
    const response = await read('/assets/small.js', 'br')
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual([null, 'let a'])
  })

  it('are a plain 404 where they are missing, unlike the routes with an extension', async () => {
    for (const path of ['/assets/none.js', '/none.js', '/robots.txt.bak'])
      expect((await read(path, 'br')).status).toBe(404)
    for (const path of ['/robots.txt', '/sitemap.xml', '/help/sitemap.xml', '/help'])
      expect(await (await read(path, 'br')).text()).toBe(`A route: ${path}`)
  })
})
