import { fileURLToPath } from 'node:url'
import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { denyImports } from 'vite-env-only'
import remixConfig from './remix.config.js'
import { iconFiles } from './scripts/lib/icon-files.mjs'
import { scriptFiles } from './scripts/lib/script-files.mjs'

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: true
  }
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    // Remix keeps only files named *.server.* out of the browser by itself. server/errors.ts holds no secrets and no
    // Node modules, so an error page may use it.
    denyImports({
      client: {
        files: [/^(db|workers|cli)\//, /^server\/(?!errors\.ts$)/],
        specifiers: [/^node:/, 'better-sqlite3', 'drizzle-orm', 'drizzle-orm/**', 'pino', 'undici', 'openai'],
      },
    }),
    tailwindcss(),
    remix(remixConfig),
    ...(isSsrBuild ? [] : [iconFiles()]),
  ],
  build: {
    // What Vite 7 calls widely available. Vite 6's own default is older, and adds a percent to the scripts.
    target: ['chrome107', 'edge107', 'firefox104', 'safari16'],
    rollupOptions: {
      // Rollup reads up to 1,000 files at once by default, and a machine may allow a process only 1,024 open files.
      maxParallelFileOps: 64,
      ...(isSsrBuild ? {} : { output: scriptFiles() }),
    },
  },
  resolve: { alias: { '~': fileURLToPath(new URL('./app', import.meta.url)) } },
}))
