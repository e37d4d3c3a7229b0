// `npm run budget`: prints the sizes of what browsers load, from the builds, and fails if one is over its limit.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { ensureBuilt } from './lib/build.mjs'
import { start } from './lib/child.mjs'
import { ensureInstalled } from './lib/install.mjs'

const CLIENT = 'build/client'
const WIDGET = 'build/widget'
/** KB (1,024 bytes) of gzip. */
const LIMITS = { loader: 5, widget: 15, locale: 1, page: 122, form: 132, chat: 172 }
/** Script files of a page. */
const MAX_FILES = 21
/** Pages that render answers, with their Markdown. */
const CHAT_PAGES = /(\$agentId\._index|\$agentId\.demo-search|threads\.\$(threadId|id))$/
/**
 * Pages that have forms beside their dialogs, the page of a collection, with its search and two tables, and details of the
 * back office beside their list.
 */
const FORM_PAGES =
  /(admin\+\/\w+\.\$id(_\.audit)?|dashboard\+\/index|account|settings_\.data|_public\+\/second-factor|\$agentId\.(ai|api|widget)|\$collectionId|onboarding\+\/\w+)$/

/**
 * @typedef {{ id: string, parentId?: string, path?: string, index?: boolean, module: string, imports?: string[] }} Route
 * @typedef {{ entry: { module: string, imports: string[] }, routes: Record<string, Route> }} Manifest
 */

/** @type {Map<string, number>} */
const sizes = new Map()

/** @param {string} file */
function gzipOf(file) {
  const known = sizes.get(file)
  if (known !== undefined) return known
  const size = gzipSync(readFileSync(file), { level: 9 }).length
  sizes.set(file, size)
  return size
}

/**
 * @param {string} what
 * @param {string[]} files
 * @param {number} limit
 * @param {number} [maxFiles]
 */
function row(what, files, limit, maxFiles = Number.POSITIVE_INFINITY) {
  const kilobytes = files.reduce((sum, file) => sum + gzipOf(file), 0) / 1024
  const isOver = kilobytes > limit || files.length > maxFiles
  return { what, kilobytes, limit, files: files.length, isOver }
}

/** The scripts of each page that sends any: those of its routes and of the entry. */
function pageRows() {
  const name = readdirSync(`${CLIENT}/assets`).find((file) => /^manifest-.*\.js$/.test(file))
  if (!name) throw new Error('build/client has no manifest.')
  const text = readFileSync(`${CLIENT}/assets/${name}`, 'utf8')
  /** @type {Manifest} */
  const { entry, routes } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  const parents = new Set(Object.values(routes).map(({ parentId }) => parentId))
  return Object.values(routes)
    .filter((route) => !parents.has(route.id) && isPage(route))
    .map((route) => {
      /** @type {Route[]} */
      const chain = []
      for (let next = /** @type {Route | undefined} */ (route); next; next = routes[next.parentId ?? ''])
        chain.push(next)
      const modules = [entry, ...chain].flatMap(({ module, imports = [] }) => [module, ...imports])
      const files = [...new Set(modules)].map((path) => CLIENT + path)
      const kind = CHAT_PAGES.test(route.id) ? 'chat' : FORM_PAGES.test(route.id) ? 'form' : 'page'
      return row(route.id.replace(/^routes\//, ''), files, LIMITS[kind], MAX_FILES)
    })
    .sort((a, b) => b.kilobytes - a.kilobytes)
}

/**
 * Whether a route is a page that sends scripts.
 * @param {Route} route
 */
function isPage({ id }) {
  const source = `app/${id}.tsx`
  if (!existsSync(source)) return false
  const text = readFileSync(source, 'utf8')
  return text.includes('export default') && !text.includes('scriptless: true')
}

function widgetRows() {
  const files = readdirSync(WIDGET)
  const scripts = files.filter((file) => file.endsWith('.js')).map((file) => `${WIDGET}/${file}`)
  const locales = files.filter((file) => /^widget-.*\.json$/.test(file))
  return [
    row('widget.js', [`${WIDGET}/widget.js`], LIMITS.loader),
    row('widget, all scripts', scripts, LIMITS.widget),
    ...locales.map((file) => row(file, [`${WIDGET}/${file}`], LIMITS.locale)),
  ]
}

await start(async () => {
  await ensureInstalled()
  await ensureBuilt(['pages', 'widget'])
  const rows = [...widgetRows(), ...pageRows()]
  console.log('   KB  limit  files')
  for (const { what, kilobytes, limit, files, isOver } of rows) {
    const figures = [kilobytes.toFixed(1).padStart(5), String(limit).padStart(6), String(files).padStart(6)].join('')
    console.log(`${figures}  ${what}${isOver ? '  OVER THE LIMIT' : ''}`)
  }
  const over = rows.filter(({ isOver }) => isOver).length
  console.log(`${rows.length - over} passed, ${over} failed`)
  process.exitCode = over > 0 ? 1 : 0
})
