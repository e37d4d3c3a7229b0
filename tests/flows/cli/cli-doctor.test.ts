import { chmod, mkdir, mkdtemp, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Check } from '../../../cli/check/check'
import { checkDatabase, checkPermissions } from '../../../cli/check/check-data'
import { checkModel } from '../../../cli/check/check-model'
import { checkPort, checkPublicUrl } from '../../../cli/check/check-network'
import { engine } from '../../../db/engine'
import { SQLite } from '../../../db/sqlite-driver'
import type { Config } from '../../../server/config/config'
import { announceServer, findServer, withdrawServer } from '../../../server/local-server'
import { createTestApp } from '../../support/app'
import { createTestCli } from '../../support/cli'

const lineOf = (json: Record<string, unknown>, name: string) =>
  (json.checks as Check[]).find((check) => check.name === name)

// Native modules are tried in processes of their own, which takes a while on a busy machine.
describe('doctor', { timeout: 120_000 }, () => {
  let taken: ReturnType<typeof createServer>
  let port: number
  beforeAll(async () => {
    taken = createServer((_request, response) => response.end('Hello'))
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    port = (taken.address() as AddressInfo).port
  })
  afterAll(() => {
    taken.close()
  })

  it('finds no problem in a new installation, and prints no key', async () => {
    const cli = await createTestCli({
      OPENAI_API_KEY: 'sk-very-secret',
      SMTP_URL: 'smtp://ada:secret@mail.example.com',
      MAIL_FROM: 'ask@example.com',
    })
    const { code, out } = await cli.run(['doctor'])
    expect(out).toMatch(/^ok +Node +\d+/)
    for (const name of ['better-sqlite3', 'sqlite-vec', '@node-rs/argon2', 'onnxruntime', 'Embedding model', 'Port'])
      expect(out).toMatch(new RegExp(`^ok +${name} `, 'm'))
    expect(out).toMatch(/^ok +Provider keys +Set for OpenAI\.$/m)
    expect(out).toMatch(
      /^ok +Outbound requests +To .*The addresses of sources \(.*\); api\.openai\.com \(OpenAI: answers of all .*; mail\.example\.com:587 \(Mail\); nowhere else\.$/m,
    )
    expect(out).not.toContain('secret')
    expect(code).toBe(0)
  })

  it.runIf(engine === 'sqlite')('names every problem and its remedy', async () => {
    const cli = await createTestCli({ PORT: String(port), PUBLIC_URL: 'http://localhost:4321' })
    await mkdir(join(cli.dataDir, 'secrets'), { recursive: true })
    await writeFile(join(cli.dataDir, 'secrets', 'sealing.key'), 'x')
    await chmod(join(cli.dataDir, 'secrets', 'sealing.key'), 0o644)
    await writeFile(join(cli.dataDir, 'sitelore.db'), 'not a database at all, but a letter to somebody')
    const { code, json } = await cli.run(['doctor', '--json'])
    expect(code).toBe(1)
    expect(lineOf(json(), 'Permissions')).toMatchObject({ status: 'problem', fix: expect.stringContaining('chmod') })
    expect(lineOf(json(), 'Database')).toMatchObject({ status: 'problem', fix: expect.stringContaining('restore') })
    expect(lineOf(json(), 'Port')).toMatchObject({
      status: 'problem',
      message: expect.stringContaining('used by another program'),
    })
    expect(lineOf(json(), 'PUBLIC_URL')).toMatchObject({ status: 'warning', message: expect.stringContaining('4321') })
    expect(lineOf(json(), 'Provider keys')).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('OPENAI_API_KEY'),
    })
  })

  it('compares PUBLIC_URL with the port of a server that was started with another PORT', async () => {
    const cli = await createTestCli()
    await mkdir(cli.dataDir, { recursive: true })
    const embedding = { kind: 'unavailable', reason: 'No runtime.' }
    const otherServer = createServer((_request, response) => response.end(JSON.stringify({ ok: true, embedding })))
    await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(otherServer.address() as AddressInfo).port}`
    try {
      await announceServer(cli.dataDir, {
        ...{ address, publicUrl: address, version: '0.1.0', token: 'any' },
        ...{ providers: [], embeddingModel: 'all-MiniLM-L6-v2', rerankerModel: null },
      })
      const { json } = await cli.run(['doctor', '--json'])
      expect(lineOf(json(), 'PUBLIC_URL')).toMatchObject({ status: 'ok' })
    } finally {
      otherServer.close()
    }
  })

  it('reports a model file that differs from the shipped one', async () => {
    const { dataDir } = await createTestCli()
    const model = join(dataDir, 'mine')
    await mkdir(join(model, 'onnx'), { recursive: true })
    expect(await checkModel(model)).toMatchObject({ status: 'problem', message: expect.stringContaining('Missing: ') })
    for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'])
      await writeFile(join(model, file), '{}')
    expect(await checkModel(model)).toMatchObject({ status: 'warning' })
    await writeFile(join(model, 'NOTICE'), `A model\n\n${'0'.repeat(64)}  config.json\n`)
    expect(await checkModel(model)).toMatchObject({ status: 'problem', message: 'Changed or damaged: config.json.' })
  })

  it('runs with an invalid configuration', async () => {
    const { code, json } = await (await createTestCli({ LOG_LEVEL: 'loud' })).run(['doctor', '--json'])
    expect(code).toBe(1)
    expect(lineOf(json(), 'better-sqlite3')).toMatchObject({ status: 'ok' })
    expect(lineOf(json(), 'Configuration')).toMatchObject({
      status: 'problem',
      message: expect.stringContaining('LOG_LEVEL'),
    })
  })

  it.runIf(engine === 'sqlite')('checks the data of an installation in use', async () => {
    const server = await createTestApp()
    const { config } = server.app
    expect(await checkDatabase(config.databaseFile)).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('intact'),
    })
    await chmod(config.dataDir, 0o755)
    expect(await checkPermissions(config)).toMatchObject({ status: 'warning', fix: `Run: chmod go= ${config.dataDir}` })
    await chmod(config.dataDir, 0o700)
    expect(await checkPermissions(config)).toMatchObject({ status: 'ok' })
    await server.close()
    const db = new SQLite(config.databaseFile)
    db.exec("insert into migrations (hash) values ('of tomorrow')")
    db.close()
    expect(await checkDatabase(config.databaseFile)).toMatchObject({
      status: 'problem',
      message: expect.stringContaining('newer version'),
    })
  })

  it('recognizes its own server by its response', async () => {
    const embedding = { kind: 'unavailable', reason: 'No runtime.' }
    const ours = createServer((_request, response) => response.end(JSON.stringify({ ok: true, embedding })))
    await new Promise<void>((resolve) => ours.listen(0, '127.0.0.1', resolve))
    const node = { host: '127.0.0.1', port: (ours.address() as AddressInfo).port }
    const dataDir = await mkdtemp(join(tmpdir(), 'sitelore-doctor-'))
    expect(await findServer(dataDir)).toBeNull()
    expect(await checkPort(node, null)).toMatchObject({ status: 'problem' })
    const address = `http://127.0.0.1:${node.port}`
    await announceServer(dataDir, {
      address,
      publicUrl: address,
      version: '9.9.9',
      token: 'secret',
      providers: ['openai'],
      embeddingModel: 'all-MiniLM-L6-v2',
      rerankerModel: null,
    })
    expect((await stat(join(dataDir, 'server.json'))).mode & 0o777).toBe(0o600)
    const check = await checkPort(node, await findServer(dataDir))
    expect([check.status, check.message]).toEqual(['warning', expect.stringContaining('Sitelore 9.9.9 runs at')])
    expect(check.message).toContain('No runtime.')
    const config = { ...node, publicUrl: `http://127.0.0.1:${node.port}`, trustedProxies: [] } as unknown as Config
    expect(await checkPublicUrl(config, true)).toMatchObject({ status: 'ok' })
    expect(await checkPublicUrl({ ...config, host: '0.0.0.0' }, true)).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('nobody can sign in'),
    })
    ours.close()
    ours.closeAllConnections()
    await expect.poll(() => findServer(dataDir)).toBeNull()
    await expect.poll(async () => (await checkPort(node, null)).status).toBe('ok')
    await withdrawServer(dataDir, { token: 'of another' })
    expect((await stat(join(dataDir, 'server.json'))).isFile()).toBe(true)
    await withdrawServer(dataDir, { token: 'secret' })
    await expect(stat(join(dataDir, 'server.json'))).rejects.toThrow('ENOENT')
    expect(await checkPublicUrl({ ...config, host: '127.0.0.1' }, true)).toMatchObject({ status: 'warning' })
  })
})
