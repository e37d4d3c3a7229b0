import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Bundles a module that imports some 1,700 others, with this repository's settings, and prints how many it found. */
const build = `
  import { build, loadConfigFromFile } from 'vite'
  const { config } = await loadConfigFromFile({ command: 'build', mode: 'production' }, 'vite.config.ts')
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry: 'node_modules/lucide-react/dist/esm/lucide-react.mjs', formats: ['es'] },
      rollupOptions: { ...config.build?.rollupOptions, external: 'react' },
    },
  })
  console.log(output.flatMap(({ moduleIds }) => moduleIds).length)
`

test('bundles thousands of modules where a process may open only 512 files', async () => {
  const command = 'ulimit -n 512 && exec "$0" --input-type=module --eval "$1"'
  const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, build])
  expect(Number(stdout)).toBeGreaterThan(1_000)
})
