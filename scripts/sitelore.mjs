// `npm run -s sitelore -- <command>`: the command line, rebuilt when its sources have changed.
import { ensureBuilt } from './lib/build.mjs'
import { start } from './lib/child.mjs'
import { ensureInstalled } from './lib/install.mjs'

await start(async () => {
  await ensureInstalled()
  await ensureBuilt(['server'])
})
process.env.NODE_ENV = 'production'
await import(new URL('../build/app/cli.js', import.meta.url).href)
