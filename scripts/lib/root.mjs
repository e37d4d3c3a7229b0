import { fileURLToPath } from 'node:url'

/** The folder of package.json, with a slash at its end. Every starter works from there, wherever it was called. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

process.chdir(root)
