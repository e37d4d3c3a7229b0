// `npm start`: installs and builds what is missing or old, then serves. It needs nothing but Node and npm.
import { ensureBuilt } from './lib/build.mjs'
import { start } from './lib/child.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { endWithParent } from './lib/parent.mjs'

await start(async () => {
  await ensureInstalled()
  await ensureBuilt()
})
endWithParent()
// From here on this process is the server: signals, exit code and output are its own.
process.env.NODE_ENV = 'production'
await import(new URL('../build/app/index.js', import.meta.url).href)
