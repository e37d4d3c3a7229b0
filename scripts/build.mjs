// Builds what has changed, as `npm start` does, and lists the packages that ship, with their licenses.
import { ensureBuilt } from './lib/build.mjs'
import { start } from './lib/child.mjs'
import { ensureInstalled } from './lib/install.mjs'

await start(async () => {
  await ensureInstalled()
  await ensureBuilt(['pages', 'widget', 'server', 'sbom'])
})
