// `npm run dev`: serves with hot reload; a change of server code restarts the process.
import { spawn } from 'node:child_process'
import { ensureBuilt } from './lib/build.mjs'
import { start } from './lib/child.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { endWithParent } from './lib/parent.mjs'

await start(async () => {
  await ensureInstalled()
  await ensureBuilt(['widget'])
})
endWithParent()

const watch = ['watch', '--clear-screen=false', '--include', 'remix.config.js', '--include', 'vite.config.ts']
const child = spawn(process.execPath, ['node_modules/tsx/dist/cli.mjs', ...watch, 'server/index.ts'], {
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'development' },
})
// A terminal sends Ctrl-C to both processes; other signals are forwarded.
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code) => process.exit(code ?? 0))
