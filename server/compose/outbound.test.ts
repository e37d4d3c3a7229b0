import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../config/config'
import { outboundOf } from './outbound'

const base = { NODE_ENV: 'test', DATA_DIR: mkdtempSync(join(tmpdir(), 'sitelore-outbound-')) }
const hostsOf = (environment: Record<string, string>) => outboundOf(readConfig(environment)).map(({ to }) => to)

it('names the servers of a cluster, and none of their users and passwords', () => {
  const cluster = {
    ...base,
    DATABASE_URL: 'postgres://ada:secret@db.example.com:5433/sitelore',
    SEARCH_URL: 'https://ada:secret@search.example.com:9200',
  }
  const added = (environment: Record<string, string>) =>
    hostsOf(environment).filter((host) => !hostsOf(base).includes(host))
  expect(added(cluster)).toEqual(['db.example.com:5433', 'search.example.com:9200'])
  expect(added({ ...cluster, FILES: 's3://sitelore/files' })).toContain('sitelore.s3.us-east-1.amazonaws.com')
  expect(added({ ...cluster, FILES: 's3://sitelore/files', S3_ENDPOINT: 'https://s3.example.com:9000' })).toContain(
    's3.example.com:9000',
  )
})

it('says which text a service embeds', () => {
  const service = { ...base, EMBEDDING_MODEL: 'openai:bge-m3', EMBEDDING_BASE_URL: 'http://embed.example.com:8080/v1' }
  const found = outboundOf(readConfig(service)).find(({ to }) => to === 'embed.example.com:8080')
  expect(found?.why).toBe(
    'OpenAI: the text of the collections with the embedding model openai:bge-m3, and of all searches and questions in them',
  )
  expect(hostsOf({ ...base, EMBEDDING_MODEL: 'gemini:gemini-embedding-001' })[1]).toBe(
    'generativelanguage.googleapis.com',
  )
})
