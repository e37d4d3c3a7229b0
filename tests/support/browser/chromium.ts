import { findChromium } from '../../../scripts/lib/testing/chromium.mjs'

/** Path of an installed Chromium, or null: then describe.skipIf(chromium === null) leaves a browser test out. */
export const chromium = findChromium()
