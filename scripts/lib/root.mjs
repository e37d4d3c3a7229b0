import { fileURLToPath } from 'node:url'

/** The folder of package.json, with a trailing slash. Starters change to it. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

process.chdir(root)
