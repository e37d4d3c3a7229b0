import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Io } from '../../cli/io'
import { run } from '../../cli/run'
import { clusterEnvironment } from './database/cluster'
import { fillDataFolder } from './database/data-folder'
import { noRetryDelays } from './no-retry-delays'
import { sharedExtractor } from './shared-extractor'

export interface CliAnswer {
  code: number
  out: string
  err: string
  /** `out` as the JSON that it must be. */
  json(): Record<string, unknown>
}

export interface TestCli {
  dataDir: string
  /** Runs one command in this process, on this data folder. */
  run(argv: string[], changes?: Partial<Io>): Promise<CliAnswer>
}

/** The command line on a new data folder. Without the embedding model unless `overrides` says otherwise. */
export async function createTestCli(
  environment: Record<string, string> = {},
  changes: Partial<Io> = {},
): Promise<TestCli> {
  const folder = await mkdtemp(join(tmpdir(), 'sitelore-cli-'))
  const dataDir = environment.DATA_DIR ?? join(folder, 'data')
  if (environment.DATA_DIR === undefined) await fillDataFolder(dataDir)
  const variables: NodeJS.ProcessEnv = {
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    PORT: '0',
    CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1',
    CRAWL_DELAY_MS: '0',
    ...(await clusterEnvironment(dataDir)),
    ...environment,
  }
  return {
    dataDir,
    async run(argv, more = {}) {
      const text = { out: '', err: '' }
      const code = await run(argv, {
        out: (part) => {
          text.out += part
        },
        isTerminal: false,
        err: (part) => {
          text.err += part
        },
        columns: null,
        environment: variables,
        root: process.cwd(),
        folder,
        signal: new AbortController().signal,
        overrides: { embedder: async () => null, extractor: sharedExtractor(), retryDelaysMs: noRetryDelays },
        ...changes,
        ...more,
      })
      return { code, ...text, json: () => JSON.parse(text.out) as Record<string, unknown> }
    },
  }
}
