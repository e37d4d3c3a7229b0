// Builds what has changed, as `npm start` does.
import { ensureBuilt } from './lib/build.mjs'
import { start } from './lib/child.mjs'
import { ensureInstalled } from './lib/install.mjs'

await start(async () => {
  await ensureInstalled()
  await ensureBuilt()
})
