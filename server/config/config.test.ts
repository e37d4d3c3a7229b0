import { chmodSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { readEnvironment } from '../../db/environment'
import { readConfig } from './config'
import { ConfigError } from './config-error'

const search = 'https://search.example.com:9200'
const cluster = { DATABASE_URL: 'postgres://db.example.com/sitelore', SEARCH_URL: search }

const folder = () => mkdtempSync(join(tmpdir(), 'sitelore-config-'))
const read = (environment: Record<string, string> = {}) => readConfig({ DATA_DIR: folder(), ...environment })

describe('configuration', () => {
  it('needs nothing', () => {
    const config = read()
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      signUp: 'invited',
      externalIssuer: null,
    })
    expect(config.crawl).toMatchObject({
      allowPrivateNetworks: [],
      userAgent: expect.stringContaining('http://localhost:3000/help'),
    })
    expect(config.providers.openai).toEqual({ apiKey: null, baseUrl: null, models: [] })
  })

  it('gives vectors of searched collections a part of the memory', () => {
    const most = 512 * 2 ** 20
    expect(read().vectorCacheBytes).toBeGreaterThan(0)
    expect(read().vectorCacheBytes).toBeLessThanOrEqual(Math.min(most, totalmem() / 8))
    expect(read({ VECTOR_CACHE_MB: '0' }).vectorCacheBytes).toBe(0)
    expect(read().keywordCacheBytes).toBeLessThanOrEqual(read().vectorCacheBytes / 2)
    expect(read({ KEYWORD_CACHE_MB: '7' }).keywordCacheBytes).toBe(7 * 2 ** 20)
    expect(read({ VECTOR_CACHE_MB: '2000' }).vectorCacheBytes).toBe(2_000 * 2 ** 20)
  })

  it('reads lists, addresses and keys', () => {
    const config = read({
      PUBLIC_URL: 'https://ask.example.com/',
      CRAWL_ALLOW_PRIVATE_NETWORKS: '10.0.0.0/8, intranet.example',
      TRUSTED_PROXIES: '127.0.0.1',
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: 'http://127.0.0.1:4010/v1/',
      OPENAI_MODELS: 'gpt-next, our/model:7b',
    })
    expect(config.publicUrl).toBe('https://ask.example.com')
    expect(config.crawl.allowPrivateNetworks).toEqual(['10.0.0.0/8', 'intranet.example'])
    expect(config.trustedProxies).toEqual(['127.0.0.1'])
    expect(config.providers.openai).toEqual({
      apiKey: 'key',
      baseUrl: 'http://127.0.0.1:4010/v1',
      models: ['gpt-next', 'our/model:7b'],
    })
    expect(read({ CRAWL_ALLOW_PRIVATE_NETWORKS: '1' }).crawl.allowPrivateNetworks).toBe('all')
  })

  it.each([
    ['OPENAI', 'http://localhost:11434', 'must be the address with its version. Write http://localhost:11434/v1.'],
    [
      'DEEPSEEK',
      'https://api.deepseek.com',
      'must be the address with its version. Write https://api.deepseek.com/v1.',
    ],
    ['ANTHROPIC', 'https://api.anthropic.com/v1/', 'the address without a version. Write https://api.anthropic.com.'],
    [
      'GEMINI',
      'https://generativelanguage.googleapis.com/v1beta/openai',
      'the address without a version. Write https://generativelanguage.googleapis.com.',
    ],
  ])('stops at an address of %s in the form of another protocol', (name, url, sentence) => {
    expect(() => read({ [`${name}_BASE_URL`]: url })).toThrow(sentence)
  })

  it('takes addresses in the form of the SDKs', () => {
    const { providers } = read({
      OPENAI_BASE_URL: 'https://generativelanguage.googleapis.com/v1beta/openai',
      DEEPSEEK_BASE_URL: 'https://api.deepseek.com/v1',
      ANTHROPIC_BASE_URL: 'https://gateway.example.com/anthropic',
      GEMINI_BASE_URL: 'https://gateway.example.com',
    })
    expect(providers.openai.baseUrl).toBe('https://generativelanguage.googleapis.com/v1beta/openai')
    expect(providers.anthropic.baseUrl).toBe('https://gateway.example.com/anthropic')
    expect(() => read({ OPENAI_BASE_URL: 'https://me:secret@gateway.example.com/v1' })).toThrow('OPENAI_API_KEY')
  })

  it.each([
    ['OPENAI_MODELS', { OPENAI_MODELS: 'm'.repeat(65) }],
    ['PORT', { PORT: 'abc' }],
    ['PORT', { PORT: '70000' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'example.com' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://example.com/path' }],
    ['SIGN_UP', { SIGN_UP: 'yes' }],
    ['METRICS_TOKEN', { METRICS_TOKEN: 'short' }],
    ['METRICS_PORT', { METRICS_PORT: '0' }],
    ['METRICS_PORT', { METRICS_PORT: '3000' }],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }],
    [
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    ],
    ['OIDC_CLIENT_ID', { OIDC_ISSUER: 'https://login.example.com' }],
    ['OIDC_ISSUER', { OIDC_CLIENT_ID: 'x' }],
    ['EMBEDDING_MODEL', { EMBEDDING_MODEL: 'no-such-model' }],
    ['RERANKER_MODEL', { RERANKER_MODEL: 'no-such-model' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://db.example.com/sitelore' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://db.example.com/sitelore', SEARCH_URL: search }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://db.example.com', SEARCH_URL: search }],
    ['DATABASE_CONNECTIONS', { ...cluster, DATABASE_CONNECTIONS: '1' }],
    ['SEARCH_URL', { SEARCH_URL: search }],
    ['SEARCH_URL', { ...cluster, SEARCH_URL: 'search.example.com:9200' }],
    ['SEARCH_URL', { ...cluster, SEARCH_URL: 'https://user:100%@search.example.com' }],
    ['SEARCH_TOKEN', { ...cluster, SEARCH_URL: 'https://a:b@search.example.com', SEARCH_TOKEN: 'c' }],
    ['SEARCH_CA_FILE', { ...cluster, SEARCH_CA_FILE: '/no/such/file' }],
    ['SEARCH_INDEX_PREFIX', { ...cluster, SEARCH_INDEX_PREFIX: 'Site' }],
    ['PROCESS', { PROCESS: 'worker' }],
    ['PROCESS', { ...cluster, PROCESS: 'server' }],
    ['WORKER_JOBS', { ...cluster, WORKER_JOBS: 'crawl,cook' }],
    ['FILES', { FILES: 's3://bucket/uploads' }],
    ['FILES', { ...cluster, FILES: 'https://bucket/uploads' }],
    ['S3_ACCESS_KEY_ID', { ...cluster, FILES: 's3://bucket', S3_ACCESS_KEY_ID: 'a' }],
    ['SITELORE_SECRET_COOKIE', { ...cluster, SITELORE_SECRET_COOKIE: 'a' }],
  ])('says in one line what is wrong with %s', (name, environment) => {
    expect(() => read(environment)).toThrow(ConfigError)
    expect(() => read(environment)).toThrow(new RegExp(`^${name}: [^\\n]+$`))
  })

  it('reads the settings of several machines, without repeating passwords', () => {
    const config = read({
      DATABASE_URL: 'postgresql://sitelore:secret@db.example.com:5432/sitelore?sslmode=require',
      SEARCH_URL: 'https://user:p%40ss@search.example.com:9200/',
      PROCESS: 'worker',
      WORKER_JOBS: 'embed, index',
      FILES: 's3://bucket/some/prefix/',
      S3_ENDPOINT: 'https://minio.example.com',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'hidden',
    })
    expect(config.cluster?.search).toMatchObject({ url: search, auth: { user: 'user', password: 'p@ss' } })
    expect(config).toMatchObject({
      role: 'worker',
      jobs: ['embed', 'index'],
      files: { kind: 's3', bucket: 'bucket', prefix: 'some/prefix/', endpoint: 'https://minio.example.com' },
    })
    expect(JSON.stringify(config.settings)).not.toMatch(/secret@|p%40ss|hidden/)
  })

  it.each([
    [{ PORT: 'abc' }, 'PORT: must be a whole number from 0 to 65535.'],
    [{ PORT: '' }, 'PORT: must be a whole number from 0 to 65535.'],
    [{ CRAWL_CONCURRENCY: '2.5' }, 'CRAWL_CONCURRENCY: must be a whole number from 1 to 64.'],
    [{ EMBEDDING_THREADS: '17' }, 'EMBEDDING_THREADS: must be a whole number from 1 to 16.'],
    [{ VECTOR_CACHE_MB: 'all' }, 'VECTOR_CACHE_MB: must be a whole number from 0 to 65536.'],
    [{ KEYWORD_CACHE_MB: '-1' }, 'KEYWORD_CACHE_MB: must be a whole number from 0 to 16384.'],
    [{ SIGN_UP: 'yes' }, 'SIGN_UP: must be invited, open or closed.'],
    [{ HOST: '' }, 'HOST: must not be empty.'],
    [{ HELP_URL: 'help' }, 'HELP_URL: must be a full http(s) address.'],
    [{ TRUSTED_PROXIES: '127.0.0.1, foo' }, "TRUSTED_PROXIES: 'foo' is not an IP address,"],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, "TRUSTED_PROXIES: '10.0.0.0/33' is not an IP address,"],
    [{ TRUSTED_PROXIES: '0.0.0.0/0' }, "TRUSTED_PROXIES: '0.0.0.0/0' is not an IP address,"],
    [{ TRUSTED_PROXIES: '1' }, "TRUSTED_PROXIES: '1' is not an IP address,"],
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM: must be set together with SMTP_URL.'],
    [{ MAIL_FROM: 'ask@example.com' }, 'SMTP_URL: must be set together with MAIL_FROM.'],
    [{ SMTP_URL: 'mail', MAIL_FROM: 'ask@example.com' }, 'SMTP_URL: must be an address such as smtp://'],
    [{ SMTP_URL: 'smtp://mail', MAIL_FROM: 'ask' }, 'MAIL_FROM: must be one e-mail address,'],
    ...['all', 'true', 'YES', '*', 'false'].map((word): [Record<string, string>, string] => [
      { CRAWL_ALLOW_PRIVATE_NETWORKS: word },
      `CRAWL_ALLOW_PRIVATE_NETWORKS: '${word}' is no host or range. Use 1 to allow all`,
    ]),
    [{ CRAWL_ALLOW_PRIVATE_NETWORKS: '10.0.0.0/99' }, "CRAWL_ALLOW_PRIVATE_NETWORKS: '10.0.0.0/99' is not a CIDR."],
    [{ CRAWL_ALLOW_PRIVATE_NETWORKS: 'http://wiki' }, "CRAWL_ALLOW_PRIVATE_NETWORKS: 'http://wiki' is not a CIDR."],
  ] as [Record<string, string>, string][])('says in plain words what is wrong with %j', (environment, message) => {
    expect(() => read(environment)).toThrow(message)
  })

  it('does not repeat the password of a mail server', () => {
    expect(() => read({ SMTP_URL: 'smtp://ada:geheim@mail/x', MAIL_FROM: 'ask@example.com' })).toThrow(/^(?!.*geheim)/)
    expect(read({ SMTP_URL: 'smtps://mail', MAIL_FROM: 'Us <ask@example.com>' }).mail).toEqual({
      server: { host: 'mail', port: 465, implicitTls: true, auth: null },
      from: { name: 'Us', address: 'ask@example.com' },
    })
    expect(read().mail).toBeNull()
  })

  it('takes a model of a service, with its dimensions, server and key', () => {
    expect(read({ EMBEDDING_MODEL: 'openai:text-embedding-3-small@512' }).embedding.service).toEqual({
      provider: 'openai',
      model: 'text-embedding-3-small',
      dimensions: 512,
      baseUrl: null,
      apiKey: null,
    })
    const local = { EMBEDDING_MODEL: 'openai:nomic-embed-text:latest', EMBEDDING_BASE_URL: 'http://localhost:11434/v1' }
    const { embedding } = read({ ...local, EMBEDDING_API_KEY: 'sk-1' })
    expect(embedding.service).toMatchObject({
      model: 'nomic-embed-text:latest',
      dimensions: null,
      baseUrl: 'http://localhost:11434/v1',
      apiKey: 'sk-1',
    })
    expect(embedding.modelFolder).toMatch(/all-MiniLM-L6-v2$/)
    expect(read().embedding.service).toBeNull()
    expect(() => read({ ...local, EMBEDDING_BASE_URL: 'http://localhost:11434' })).toThrow(
      'EMBEDDING_BASE_URL: must be the address with its version. Write http://localhost:11434/v1.',
    )
    expect(() => read({ EMBEDDING_MODEL: 'openai:small@12' })).toThrow(
      'EMBEDDING_MODEL: the number after @ must be from 64 to 4096.',
    )
    expect(() => read({ EMBEDDING_API_KEY: 'sk-1' })).toThrow(/^EMBEDDING_API_KEY: is for a model of a service\./)
  })

  it('reads further models of services', () => {
    const { embedding } = read({ EMBEDDING_SERVICES: 'openai:bge-m3@1024, gemini:gemini-embedding-001' })
    expect(embedding.service).toBeNull()
    expect([...embedding.services]).toMatchObject([
      ['openai:bge-m3@1024', { provider: 'openai', model: 'bge-m3', dimensions: 1024 }],
      ['gemini:gemini-embedding-001', { provider: 'gemini', dimensions: null }],
    ])
    expect(() => read({ EMBEDDING_SERVICES: 'bge-m3' })).toThrow(
      "EMBEDDING_SERVICES: 'bge-m3' is not a model of a service. Write its provider before it, such as openai:bge-m3.",
    )
    const two = { EMBEDDING_MODEL: 'openai:bge-m3', EMBEDDING_SERVICES: 'gemini:gemini-embedding-001' }
    expect(() => read({ ...two, EMBEDDING_API_KEY: 'sk-1' })).toThrow(
      'EMBEDDING_API_KEY: is for the models of one provider, but models of two are named.',
    )
  })

  it('takes as a proxy what the server takes', () => {
    const entries = ['10.1.2.3', '10.0.0.0/8', '::1', 'fd00::/8', 'loopback', 'linklocal', 'uniquelocal']
    const { trustedProxies } = read({ TRUSTED_PROXIES: entries.join(',') })
    expect(trustedProxies).toEqual(entries)
    expect(() => express().set('trust proxy', trustedProxies)).not.toThrow()
    expect(read({ PUBLIC_URL: '', HELP_URL: '' })).toMatchObject({
      publicUrl: 'http://localhost:3000',
      helpUrl: '/help',
    })
  })

  it('makes the data folder for its owner alone, and says when it cannot', () => {
    const parent = folder()
    const created = readConfig({ DATA_DIR: join(parent, 'data') })
    expect(statSync(created.dataDir).mode & 0o777).toBe(0o700)
    const file = join(parent, 'file')
    writeFileSync(file, '')
    chmodSync(file, 0o400)
    expect(() => readConfig({ DATA_DIR: join(file, 'data') })).toThrow(/^DATA_DIR: cannot write to/)
  })

  it('reads .env under the environment', () => {
    const root = folder()
    writeFileSync(join(root, '.env'), 'PORT=4000\nHOME=elsewhere\n')
    const environment = readEnvironment(root)
    expect(environment.PORT).toBe('4000')
    expect(environment.HOME).toBe(process.env.HOME)
  })
})
