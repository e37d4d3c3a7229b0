import { readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { parseUrl } from '../../contract/values/url'
import { ConfigError } from './config-error'
import { type S3Settings, type S3Variables, s3Settings } from './s3-settings'

/** An installation of several processes: the record in PostgreSQL, the search index in OpenSearch. */
export interface ClusterSettings {
  database: { url: string; maxConnections: number }
  search: SearchServer
}

export interface SearchServer {
  /** Without credentials. */
  url: string
  auth: { user: string; password: string } | { token: string } | null
  /** The certificates to trust in addition to the system's, as PEM. */
  ca: string | null
  /** Start of the names of all indexes. */
  indexPrefix: string
  /** Parts of a new index. All fragments of a collection are in one. */
  shards: number
}

/** Where uploaded files are stored. */
export type FileStorage = { kind: 'folder'; folder: string } | ({ kind: 's3' } & S3Settings)

export const processRoles = ['all', 'app', 'worker'] as const
export type ProcessRole = (typeof processRoles)[number]

export const jobGroups = ['crawl', 'embed', 'index'] as const
export type JobGroup = (typeof jobGroups)[number]

/** What the settings of a cluster are read from. */
export interface ClusterVariables extends S3Variables {
  DATABASE_URL?: string | undefined
  DATABASE_CONNECTIONS: number
  SEARCH_URL?: string | undefined
  SEARCH_TOKEN?: string | undefined
  SEARCH_CA_FILE?: string | undefined
  SEARCH_INDEX_PREFIX: string
  SEARCH_SHARDS: number
  PROCESS: ProcessRole
  WORKER_JOBS: string[]
  FILES?: string | undefined
}

/** Null for an installation on one machine. Messages do not repeat addresses, which may contain passwords. */
export function clusterSettings(variables: ClusterVariables): ClusterSettings | null {
  const { DATABASE_URL: databaseUrl, SEARCH_URL: searchUrl } = variables
  if (databaseUrl === undefined) {
    if (searchUrl !== undefined)
      throw new ConfigError('SEARCH_URL: must be set together with DATABASE_URL. Set both, or neither for one machine.')
    if (variables.PROCESS !== 'all')
      throw new ConfigError('PROCESS: must be all without DATABASE_URL, because SQLite is used by one process.')
    return null
  }
  assertPostgresUrl(databaseUrl)
  if (searchUrl === undefined)
    throw new ConfigError(
      'DATABASE_URL: must be set together with SEARCH_URL, the address of OpenSearch. Set neither for one machine.',
    )
  return {
    database: { url: databaseUrl, maxConnections: variables.DATABASE_CONNECTIONS },
    search: searchServer(searchUrl, variables),
  }
}

function assertPostgresUrl(text: string): void {
  const url = parseUrl(text)
  const isPostgres = url !== null && /^postgres(ql)?:$/.test(url.protocol)
  if (!isPostgres || !/^\/[^/]+$/.test(url.pathname))
    throw new ConfigError(
      'DATABASE_URL: must be an address of PostgreSQL such as postgres://user:password@db.example.com:5432/sitelore.',
    )
}

function searchServer(text: string, variables: ClusterVariables): SearchServer {
  const url = parseUrl(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new ConfigError(
      'SEARCH_URL: must be an address of OpenSearch such as https://user:password@search.example.com:9200.',
    )
  const { username, password } = url
  const token = variables.SEARCH_TOKEN
  if (username !== '' && token !== undefined)
    throw new ConfigError('SEARCH_TOKEN: must not be set together with a user in SEARCH_URL. Use one of them.')
  url.username = ''
  url.password = ''
  if (!/^[a-z][a-z0-9_-]{0,39}$/.test(variables.SEARCH_INDEX_PREFIX))
    throw new ConfigError(
      'SEARCH_INDEX_PREFIX: must be up to 40 small letters, digits, hyphens and underscores, and begin with a letter.',
    )
  return {
    url: url.href.replace(/\/+$/, ''),
    auth: username !== '' ? { user: decoded(username), password: decoded(password) } : token ? { token } : null,
    ca: certificates(variables.SEARCH_CA_FILE),
    indexPrefix: variables.SEARCH_INDEX_PREFIX,
    shards: variables.SEARCH_SHARDS,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ConfigError('SEARCH_URL: a percent sign in its user or password must be written as %25.')
  }
}

function certificates(file: string | undefined): string | null {
  if (file === undefined) return null
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new ConfigError(`SEARCH_CA_FILE: ${file} cannot be read.`)
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new ConfigError(`SEARCH_CA_FILE: ${file} contains no certificate in PEM form.`)
  return text
}

/** The jobs that this process runs: those of WORKER_JOBS, and none in an app. */
export function jobsOfProcess({ PROCESS: role, WORKER_JOBS: names }: ClusterVariables): JobGroup[] {
  const wrong = names.find((name) => !jobGroups.some((group) => group === name))
  if (wrong !== undefined)
    throw new ConfigError(`WORKER_JOBS: '${wrong}' is none of ${jobGroups.join(', ')}. Separate several by commas.`)
  if (role === 'app') return []
  return names.length === 0 ? [...jobGroups] : jobGroups.filter((group) => names.includes(group))
}

/** FILES: a folder, or s3://bucket/prefix. */
export function fileStorage(variables: ClusterVariables, dataDir: string, root: string): FileStorage {
  const { FILES: text } = variables
  if (text === undefined) return { kind: 'folder', folder: resolve(dataDir, 'files') }
  const s3 = s3Settings('FILES', text, variables)
  if (!s3) return { kind: 'folder', folder: isAbsolute(text) ? text : resolve(root, text) }
  if (variables.DATABASE_URL === undefined)
    throw new ConfigError('FILES: an S3-compatible store needs DATABASE_URL. One machine stores files in a folder.')
  return { kind: 's3', ...s3 }
}
