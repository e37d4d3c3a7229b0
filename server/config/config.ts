import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { basename, join, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import type { Provider } from '../../contract/values/enumerations'
import { lengths } from '../../contract/values/limits'
import { readEnvironment } from '../../db/environment'
import { incomingFolderName, ownerFileName } from '../engine/ports/file-store'
import { type BackupSettings, backupSettings } from './backup-settings'
import {
  type ClusterSettings,
  clusterSettings,
  type FileStorage,
  fileStorage,
  type JobGroup,
  jobsOfProcess,
  type ProcessRole,
  processRoles,
} from './cluster-settings'
import { ConfigError } from './config-error'
import { bundledModelName, type EmbeddingSettings, embeddingSettings, rerankerSettings } from './embedding-settings'
import { type Mailbox, parseMailbox, parseSmtpUrl, type SmtpServer } from './mail-settings'
import { type MetricsSettings, metricsSettings, traceSettings } from './measuring-settings'
import { privateNetworks, trustedProxies } from './network-settings'
import { type ProviderSettings, providerSettings } from './provider-settings'

export { readEnvironment }

/** Name of the crawler in robots.txt files. */
export const crawlerName = 'Sitelore'

const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(/[\s,]+/)
      .map((part) => part.trim())
      .filter(Boolean),
  )
const models = list.refine((names) => names.every((name) => name.length <= lengths.model), {
  error: `must be names of at most ${lengths.model} characters, separated by commas`,
})
function whole(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`
  const isIn = (number: number) => number >= min && number <= max
  return z.string().trim().regex(/^\d+$/, { error, abort: true }).transform(Number).refine(isIn, { error })
}

const oneOf = <const Names extends readonly string[]>(...names: Names) =>
  z.enum(names, { error: `must be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}` })
const filled = z.string().min(1, { error: 'must not be empty' })
const address = z
  .url({ protocol: /^https?$/, error: 'must be a full http(s) address' })
  .transform((text) => text.replace(/\/+$/, ''))
const optional = (schema: z.ZodType<string, string>) =>
  z
    .string()
    .transform((text) => (text === '' ? undefined : text))
    .pipe(schema.optional())
    .optional()

/** Every variable that the product reads; `.env.example` says what each one means. */
export const environmentSchema = z.object({
  NODE_ENV: z.string().default('development'),
  PORT: whole(0, 65_535).default(3000),
  HOST: filled.default('127.0.0.1'),
  PUBLIC_URL: optional(address),
  TRUSTED_PROXIES: list,
  DATA_DIR: filled.default('./data'),
  DATABASE_URL: optional(z.string().trim()),
  DATABASE_CONNECTIONS: whole(2, 200).default(10),
  SEARCH_URL: optional(z.string().trim()),
  SEARCH_TOKEN: optional(z.string()),
  SEARCH_CA_FILE: optional(z.string()),
  SEARCH_INDEX_PREFIX: filled.default('sitelore'),
  SEARCH_SHARDS: whole(1, 100).default(3),
  PROCESS: oneOf(...processRoles).default('all'),
  WORKER_JOBS: list,
  FILES: optional(z.string().trim()),
  S3_ENDPOINT: optional(address),
  S3_REGION: filled.default('us-east-1'),
  S3_ACCESS_KEY_ID: optional(z.string()),
  S3_SECRET_ACCESS_KEY: optional(z.string()),
  BACKUP_SCHEDULE: optional(z.string()),
  BACKUP_KEEP: whole(1, 1_000).default(7),
  BACKUP_TO: optional(z.string().trim()),
  SITELORE_SECRET_COOKIE: optional(z.string()),
  SITELORE_SECRET_SIGNING: optional(z.string()),
  SITELORE_SECRET_SEALING: optional(z.string()),
  SIGN_UP: oneOf('invited', 'open', 'closed').default('invited'),
  STAFF_MFA: oneOf('on', 'off').default('on'),
  ORGANIZATIONS_PER_PERSON: whole(1, 1_000).default(5),
  DEFAULT_PLAN: filled.default('free'),
  API_REQUESTS_PER_MINUTE: whole(1, 100_000).default(600),
  PUBLIC_REQUESTS_PER_MINUTE: whole(1, 100_000).default(100),
  VISITOR_IP: oneOf('full', 'short', 'off').default('short'),
  OIDC_ISSUER: optional(address),
  OIDC_CLIENT_ID: optional(z.string()),
  OIDC_CLIENT_SECRET: optional(z.string()),
  OIDC_AUDIENCE: optional(z.string()),
  SMTP_URL: optional(z.string()),
  MAIL_FROM: optional(z.string()),
  CRAWL_ALLOW_PRIVATE_NETWORKS: list,
  CRAWL_CONTACT_URL: optional(address),
  CRAWL_DELAY_MS: whole(0, 60_000).default(200),
  CRAWL_CONCURRENCY: whole(1, 64).default(4),
  HTTPS_PROXY: optional(address),
  CRAWL_PROXY_RESOLVES: oneOf('0', '1').default('0'),
  EMBEDDING_MODEL: filled.default(bundledModelName),
  EMBEDDING_SERVICES: optional(z.string()),
  EMBEDDING_BASE_URL: optional(address),
  EMBEDDING_API_KEY: optional(z.string()),
  EMBEDDING_THREADS: whole(1, 16).default(2),
  RERANKER_MODEL: optional(z.string()),
  HF_ENDPOINT: address.default('https://huggingface.co'),
  HF_TOKEN: optional(z.string().trim()),
  VECTOR_CACHE_MB: whole(0, 65_536).optional(),
  KEYWORD_CACHE_MB: whole(0, 16_384).optional(),
  HELP_URL: optional(address),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent').default('info'),
  LOG_REQUESTS: oneOf('on', 'off').default('on'),
  METRICS_TOKEN: optional(z.string().min(16, { error: 'must have at least 16 characters' })),
  METRICS_PORT: whole(1, 65_535).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(address),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(address),
  OPENAI_API_KEY: optional(z.string()),
  OPENAI_BASE_URL: optional(address),
  OPENAI_MODELS: models,
  ANTHROPIC_API_KEY: optional(z.string()),
  ANTHROPIC_BASE_URL: optional(address),
  ANTHROPIC_MODELS: models,
  GEMINI_API_KEY: optional(z.string()),
  GEMINI_BASE_URL: optional(address),
  GEMINI_MODELS: models,
  DEEPSEEK_API_KEY: optional(z.string()),
  DEEPSEEK_BASE_URL: optional(address),
  DEEPSEEK_MODELS: models,
})

export interface Config {
  /** The built pages are served; otherwise Vite makes them as they are asked for. */
  production: boolean
  port: number
  host: string
  /** Public address, without a slash at its end. */
  publicUrl: string
  trustedProxies: string[]
  dataDir: string
  /** The file of the database on one machine. */
  databaseFile: string
  /** Null: one machine, with SQLite. */
  cluster: ClusterSettings | null
  /** Whether this process serves people, runs jobs, or both. */
  role: ProcessRole
  /** The jobs that this process runs. */
  jobs: JobGroup[]
  files: FileStorage
  /** Null: no backups are made by themselves. */
  backups: BackupSettings | null
  secretsDir: string
  /** Secrets that replace the files in `secretsDir`; null without them. */
  secrets: { cookie: string; signing: string; sealing: string } | null
  signUp: 'invited' | 'open' | 'closed'
  /** Whether platform administrators with an account of the embedded provider need a second factor. */
  staffNeedsSecondFactor: boolean
  /** Name of the plan of organizations that people create. */
  defaultPlan: string
  limits: {
    /** Organizations that one person may create. */
    organizationsPerPerson: number
    /** Requests under /v1 of one access token. */
    apiRequestsPerMinute: number
    /** Requests of one network address to the routes of visitors. */
    publicRequestsPerMinute: number
  }
  /** What threads keep of the address of whoever began them. */
  visitorIp: 'full' | 'short' | 'off'
  /** Null: the embedded provider signs people in. */
  externalIssuer: { issuer: string; clientId: string; clientSecret: string | null; audience: string | null } | null
  /** Null: people pass links on themselves. */
  mail: { server: SmtpServer; from: Mailbox } | null
  crawl: {
    allowPrivateNetworks: string[] | 'all'
    userAgent: string
    /** Least gap between two requests to a host, in milliseconds. */
    delayMs: number
    /** Sources that are read at once. */
    concurrency: number
    proxy: { url: string; resolvesNames: boolean } | null
  }
  embedding: EmbeddingSettings
  /** Null: searches are not reranked. */
  reranker: { name: string; modelFolder: string } | null
  /** From where `sitelore models pull` downloads. */
  hub: { endpoint: string; token: string | null }
  /** What copies of collections' vectors may take of memory. */
  vectorCacheBytes: number
  /** Memory for the keyword index. */
  keywordCacheBytes: number
  helpUrl: string
  logLevel: string
  /** Whether each request has a line in the log. */
  logRequests: boolean
  metrics: MetricsSettings | null
  /** The variables of OpenTelemetry; null without a collector. */
  traces: Record<string, string> | null
  /** Every variable as it is in effect, for the log; a secret is only said to be set. */
  settings: Record<string, string>
  providers: Record<Provider, ProviderSettings>
}

/**
 * Checks the environment, makes the data folder and closes it to other users. Throws ConfigError with one line that says
 * what to change.
 */
export function readConfig(
  environment: Record<string, string | undefined> = readEnvironment(),
  root: string = process.cwd(),
): Config {
  const parsed = environmentSchema.safeParse(environment)
  if (!parsed.success) throw new ConfigError(firstProblem(parsed.error))
  const variables = parsed.data
  const dataDir = resolve(root, variables.DATA_DIR)
  makeFolder(dataDir)
  if (!isWithin(dataDir, root)) closeToOthers(dataDir)
  return {
    production: variables.NODE_ENV === 'production',
    port: variables.PORT,
    host: variables.HOST,
    publicUrl: originOf(variables.PUBLIC_URL ?? `http://localhost:${variables.PORT}`),
    trustedProxies: trustedProxies(variables.TRUSTED_PROXIES),
    dataDir,
    databaseFile: join(dataDir, 'sitelore.db'),
    cluster: clusterSettings(variables),
    role: variables.PROCESS,
    jobs: jobsOfProcess(variables),
    files: fileStorage(variables, dataDir, root),
    backups: backupSettings(variables, dataDir, root),
    secretsDir: join(dataDir, 'secrets'),
    secrets: secretSettings(variables),
    signUp: variables.SIGN_UP,
    staffNeedsSecondFactor: variables.STAFF_MFA === 'on',
    defaultPlan: variables.DEFAULT_PLAN,
    limits: {
      organizationsPerPerson: variables.ORGANIZATIONS_PER_PERSON,
      apiRequestsPerMinute: variables.API_REQUESTS_PER_MINUTE,
      publicRequestsPerMinute: variables.PUBLIC_REQUESTS_PER_MINUTE,
    },
    visitorIp: variables.VISITOR_IP,
    externalIssuer: externalIssuer(variables),
    mail: mailSettings(variables),
    crawl: {
      allowPrivateNetworks: privateNetworks(variables.CRAWL_ALLOW_PRIVATE_NETWORKS),
      userAgent: userAgent(
        variables.CRAWL_CONTACT_URL ?? `${variables.PUBLIC_URL ?? `http://localhost:${variables.PORT}`}/help`,
      ),
      delayMs: variables.CRAWL_DELAY_MS,
      concurrency: variables.CRAWL_CONCURRENCY,
      proxy: variables.HTTPS_PROXY
        ? { url: variables.HTTPS_PROXY, resolvesNames: variables.CRAWL_PROXY_RESOLVES === '1' }
        : null,
    },
    embedding: embeddingSettings(variables, dataDir, root),
    reranker: rerankerSettings(variables.RERANKER_MODEL, dataDir, root),
    hub: { endpoint: variables.HF_ENDPOINT, token: variables.HF_TOKEN ?? null },
    vectorCacheBytes: (variables.VECTOR_CACHE_MB ?? vectorCacheMb()) * 2 ** 20,
    keywordCacheBytes: (variables.KEYWORD_CACHE_MB ?? Math.floor(vectorCacheMb() / 2)) * 2 ** 20,
    helpUrl: variables.HELP_URL ?? '/help',
    logLevel: variables.LOG_LEVEL,
    logRequests: variables.LOG_REQUESTS === 'on',
    metrics: metricsSettings(variables),
    traces: traceSettings(environment),
    settings: settingsOf(variables),
    providers: providerSettings(variables),
  }
}

/** Throws ConfigError where uploaded files are left of an installation without their database. */
export function assertDatabaseNotLost({ dataDir, databaseFile }: Pick<Config, 'dataDir' | 'databaseFile'>): void {
  const files = join(dataDir, 'files')
  if (existsSync(databaseFile) || !existsSync(files)) return
  // Unfinished uploads belong to no row.
  if (readdirSync(files).every((name) => name === incomingFolderName || name === ownerFileName)) return
  throw new ConfigError(
    `DATA_DIR: ${files} holds uploads, but ${basename(databaseFile)} is missing. Restore a backup, or move that folder away to start a new installation.`,
  )
}

type Variables = z.infer<typeof environmentSchema>

/** They may hold a password. */
const secretVariables = /_(KEY|SECRET|TOKEN)$|_SECRET_|^(SMTP_URL|HTTPS_PROXY|DATABASE_URL|SEARCH_URL)$/

function settingsOf(variables: Variables): Record<string, string> {
  const set = Object.entries(variables).filter(([, value]) => value !== undefined)
  return Object.fromEntries(set.map(([name, value]) => [name, secretVariables.test(name) ? '(set)' : String(value)]))
}

function firstProblem(error: z.ZodError): string {
  const [issue] = error.issues
  return `${issue?.path.join('.') ?? 'The environment'}: ${issue?.message ?? 'is wrong'}. See .env.example for what it may be.`
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch {
    throw new ConfigError(
      `DATA_DIR: cannot write to ${folder}. Make the user that runs Sitelore its owner, or set another folder.`,
    )
  }
}

function isWithin(folder: string, path: string): boolean {
  const [first] = relative(folder, path).split(sep)
  return first !== '..'
}

/** A folder with the sticky bit, such as /tmp, is shared on purpose. */
function closeToOthers(folder: string): void {
  const { mode } = statSync(folder)
  if (mode & 0o1000 || !(mode & 0o077)) return
  try {
    chmodSync(folder, 0o700)
  } catch {
    // The folder of another user, such as a mounted volume; `doctor` warns about it.
  }
}

function originOf(url: string): string {
  const { origin, pathname } = new URL(url)
  if (pathname !== '/')
    throw new ConfigError('PUBLIC_URL: must be an address without a path, such as https://ask.example.com.')
  return origin
}

function externalIssuer(variables: Variables): Config['externalIssuer'] {
  if (!variables.OIDC_ISSUER) {
    if (variables.OIDC_CLIENT_ID)
      throw new ConfigError(
        'OIDC_ISSUER: must be set together with OIDC_CLIENT_ID. Set both, or neither for the embedded sign-in.',
      )
    return null
  }
  if (!variables.OIDC_CLIENT_ID) throw new ConfigError('OIDC_CLIENT_ID: must be set together with OIDC_ISSUER.')
  return {
    issuer: variables.OIDC_ISSUER,
    clientId: variables.OIDC_CLIENT_ID,
    clientSecret: variables.OIDC_CLIENT_SECRET ?? null,
    audience: variables.OIDC_AUDIENCE ?? null,
  }
}

function secretSettings(variables: Variables): Config['secrets'] {
  const cookie = variables.SITELORE_SECRET_COOKIE
  const signing = variables.SITELORE_SECRET_SIGNING
  const sealing = variables.SITELORE_SECRET_SEALING
  if (cookie !== undefined && signing !== undefined && sealing !== undefined) return { cookie, signing, sealing }
  const set = Object.entries({ COOKIE: cookie, SIGNING: signing, SEALING: sealing }).filter(([, value]) => value)
  const [first] = set
  if (first)
    throw new ConfigError(
      `SITELORE_SECRET_${first[0]}: the three SITELORE_SECRET_ variables must be set together. Set all, or none for files.`,
    )
  return null
}

/** Messages do not repeat SMTP_URL, which may contain a password. */
function mailSettings({ SMTP_URL: url, MAIL_FROM: sender }: Variables): Config['mail'] {
  if (url === undefined && sender === undefined) return null
  if (url === undefined)
    throw new ConfigError('SMTP_URL: must be set together with MAIL_FROM. Set both, or neither to send no e-mail.')
  if (sender === undefined)
    throw new ConfigError('MAIL_FROM: must be set together with SMTP_URL. Set both, or neither to send no e-mail.')
  const server = parseSmtpUrl(url)
  if (!server)
    throw new ConfigError(
      'SMTP_URL: must be an address such as smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start.',
    )
  const from = parseMailbox(sender)
  if (!from)
    throw new ConfigError(
      'MAIL_FROM: must be one e-mail address, such as ask@example.com or Sitelore <ask@example.com>.',
    )
  return { server, from }
}

function userAgent(contact: string): string {
  return `${crawlerName}/0.1 (+${contact})`
}

/** An eighth of the memory that this process may use, and no more than a million vectors take. */
function vectorCacheMb(): number {
  const allowed = process.constrainedMemory()
  const total = Math.min(totalmem(), allowed > 0 ? allowed : Number.POSITIVE_INFINITY)
  return Math.min(512, Math.floor(total / 8 / 2 ** 20))
}
