import { ensureBuilt } from '../../scripts/lib/build.mjs'
import { findChromium } from '../../scripts/lib/chromium.mjs'

/** Global set-up of the browser tests: they run against the built product, as `npm start` serves it. */
export async function setup() {
  if (findChromium()) await ensureBuilt()
}
