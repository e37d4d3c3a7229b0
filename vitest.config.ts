import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Not vite.config.ts: the Remix plugin must stay out of the test run.
const shared = {
  resolve: {
    alias: [
      { find: '~', replacement: fileURLToPath(new URL('./app', import.meta.url)) },
      {
        find: /^\.{1,2}\/([\w/.-]+\/)?worker-file$/,
        replacement: fileURLToPath(new URL('./tests/support/vitest/worker-file.ts', import.meta.url)),
      },
    ],
  },
  esbuild: { jsx: 'automatic' as const },
}

const common = {
  environment: 'node',
  pool: 'forks' as const,
  setupFiles: ['tests/support/vitest/setup.ts'],
  // A busy machine is no failure: these end what hangs.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  restoreMocks: true,
  unstubEnvs: true,
}

/** Some tests load the embedding runtime themselves, and it must not report to its vendor. */
const environment = { ORT_DISABLE_TELEMETRY: '1' }

/** The engine is chosen once in a process, so what must hold on both runs as two projects. */
const postgres = process.env.TEST_DATABASE_URL ?? 'postgres:pglite'

/** They damage, fill, upgrade or back up the file of SQLite, or start processes on it. */
const aboutDatabaseFile = [
  'tests/contracts/upgrade.test.ts',
  'tests/flows/cli/cli-process.test.ts',
  'tests/flows/files/{backup,backup-concurrent-files,backup-files,damaged-database,full-disk,move}.test.ts',
]

export default defineConfig({
  test: {
    // Tests wait for servers, browsers and processes about half of their time: four files at once keep two cores busy.
    maxWorkers: 4,
    projects: [
      {
        ...shared,
        test: {
          ...common,
          name: 'unit',
          include: [
            '{app,cli,contract,db,scripts,server,widget,workers}/**/*.test.{ts,tsx}',
            'tests/{conformance,contracts,eval,flows,fuzz,hostile,http,support}/**/*.test.{ts,tsx}',
            'tests/docs.test.ts',
          ],
          globalSetup: ['tests/support/vitest/prepare.ts'],
          env: { ...environment, DATABASE_URL: '' },
          // No test mocks a module, so files may share what is loaded: loading it for each took a tenth of all time.
          isolate: false,
        },
      },
      {
        ...shared,
        test: {
          ...common,
          name: 'postgres',
          include: ['tests/contracts/database*.test.ts'],
          env: { ...environment, DATABASE_URL: postgres },
        },
      },
      {
        ...shared,
        test: {
          ...common,
          name: 'servers',
          include: ['tests/{contracts,flows}/**/*.test.ts'],
          exclude: aboutDatabaseFile,
          globalSetup: ['tests/support/vitest/servers.ts'],
          env: environment,
          isolate: false,
        },
      },
      {
        ...shared,
        test: {
          ...common,
          name: 'proof',
          include: ['tests/proofs/**/*.test.ts'],
          globalSetup: ['tests/support/vitest/prepare.ts'],
          env: { ...environment, DATABASE_URL: '' },
          testTimeout: 600_000,
          hookTimeout: 600_000,
          // Their sites and kills need the processor to themselves.
          fileParallelism: false,
        },
      },
      {
        ...shared,
        test: {
          ...common,
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/support/browser/build.ts'],
          env: { ...environment, DATABASE_URL: '' },
          isolate: false,
        },
      },
    ],
  },
})
