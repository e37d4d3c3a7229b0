/** Runs a bench of this folder or a folder in it by its name, with its own options: npm run bench -- pages --rounds 20 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [name = ''] = process.argv.splice(2, 1)
const folders = ['', 'crawl/', 'embedding/', 'server/']
const files = folders.map((folder) => fileURLToPath(new URL(`${folder}${name}.ts`, import.meta.url)))
const file = /^[a-z-]+$/.test(name) ? files.find((path) => existsSync(path)) : undefined
if (file === undefined) throw new Error(`There is no bench ${name} in tests/bench.`)
await import(file)
