// `npm start`: installs and builds what is missing or outdated, then serves. It needs only Node and npm.
import { ensureBuilt } from './lib/build.mjs'
import { start } from './lib/child.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { endWithParent } from './lib/parent.mjs'

await start(async () => {
  await ensureInstalled()
  await ensureBuilt()
})
endWithParent()
// From here on, this process is the server.
process.env.NODE_ENV = 'production'
await import(new URL('../build/app/index.js', import.meta.url).href)
