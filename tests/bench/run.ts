/** Runs a bench of this folder by its name, with its own options: npm run bench -- pages --rounds 20 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [name = ''] = process.argv.splice(2, 1)
const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
if (!/^[a-z-]+$/.test(name) || !existsSync(file)) throw new Error(`There is no tests/bench/${name}.ts.`)
await import(file)
