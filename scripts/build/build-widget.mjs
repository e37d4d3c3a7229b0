// Builds the widget for other websites: build/widget/widget.js, the loader, and beside it the panel and the texts of the
// languages, whose names change with their content.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { compressFiles } from '../lib/compress.mjs'
import '../lib/root.mjs'

const folder = 'build/widget'

/**
 * @param {string} entry
 * @param {Record<string, string>} define
 * @returns {Promise<string>}
 */
async function bundle(entry, define = {}) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    define,
    logLevel: 'warning',
  })
  return outputFiles[0]?.text ?? ''
}

/**
 * Writes a file whose name has a hash of its content, and returns its path on the server.
 * @param {string} name
 * @param {string} extension
 * @param {string} content
 */
function write(name, extension, content) {
  const file = `${name}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${extension}`
  writeFileSync(`${folder}/${file}`, content)
  return `/${file}`
}

/** @param {string} content */
function integrityOf(content) {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const localeFiles = Object.fromEntries(
  readdirSync('widget/locales').map((name) => {
    const texts = JSON.stringify(JSON.parse(readFileSync(`widget/locales/${name}`, 'utf8')))
    return [name.slice(0, 2), write(`widget-${name.slice(0, 2)}`, 'json', texts)]
  }),
)
const panel = await bundle('widget/panel/panel.ts')
const panelFile = { path: write('widget', 'js', panel), integrity: integrityOf(panel) }
const loader = await bundle('widget/loader.ts', {
  panelFile: JSON.stringify(panelFile),
  localeFiles: JSON.stringify(localeFiles),
})
writeFileSync(`${folder}/widget.js`, loader)
writeFileSync(
  `${folder}/integrity.json`,
  `${JSON.stringify({ 'widget.js': integrityOf(loader), [panelFile.path.slice(1)]: panelFile.integrity })}\n`,
)
await compressFiles(folder)
