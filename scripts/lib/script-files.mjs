/** Packages that every page with a script loads. */
const FRAMEWORK =
  /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|turbo-stream|@remix-run\/(react|router|server-runtime))\//
/** Too large for pages that do not use it. */
const ZOD = /\/node_modules\/(zod|@conform-to\/zod)\//
/** Components of many pages. */
const COMPONENTS = /\/app\/components\/ui\//
/** Pages with forms. */
const FORMS = /\/node_modules\/@conform-to\/(dom|react)\//
/** Single icons. */
const ICONS = /\/lucide-react\/dist\/esm\/icons\//
/** Smaller files are merged with others that the same pages load. */
const MIN_BYTES = 1_500
/** Characters of a module that imports nothing. In a file of its own it would be merged with the file of some page. */
const MAX_SMALL_LENGTH = 500

/**
 * Rollup's options for the scripts of the pages. By default it gives each set of pages that share modules a file, which
 * were 34 to 73 for each page. Here a page loads the framework, what the root and the dashboard's layout import, and few
 * more.
 * @returns {import('vite').Rollup.OutputOptions}
 */
export function scriptFiles() {
  /** @type {Map<string, Set<string>>} */
  const reached = new Map()
  return {
    experimentalMinChunkSize: MIN_BYTES,
    manualChunks(id, { getModuleIds, getModuleInfo }) {
      /** @param {string} entry */
      const isReachedFrom = (entry) => {
        const known = reached.get(entry) ?? reach(entry, [...getModuleIds()], getModuleInfo)
        reached.set(entry, known)
        return known.has(id)
      }
      const info = getModuleInfo(id)
      if (!info || info.isEntry) return
      if (FRAMEWORK.test(id) || id.includes('commonjsHelpers')) return 'framework'
      if (ZOD.test(id)) return 'zod'
      if (FORMS.test(id)) return 'forms'
      if (isReachedFrom('/app/root.tsx') || isReachedFrom('/app/entry.client.tsx')) return 'root'
      if (isReachedFrom('/app/routes/dashboard+/_layout.tsx')) return 'dashboard'
      if (COMPONENTS.test(id) || (info.importers.length > 1 && (ICONS.test(id) || isSmall(info)))) return 'components'
    },
  }
}

/** @param {import('vite').Rollup.ModuleInfo} info */
function isSmall({ id, code, importedIds }) {
  return !id.includes('/node_modules/') && importedIds.length === 0 && code !== null && code.length < MAX_SMALL_LENGTH
}

/**
 * The modules that an entry imports, with those that they import.
 * @param {string} entry end of a path
 * @param {string[]} ids
 * @param {import('vite').Rollup.GetModuleInfo} getModuleInfo
 */
function reach(entry, ids, getModuleInfo) {
  const found = new Set(ids.filter((id) => id.split('?')[0]?.endsWith(entry)))
  for (const id of found) for (const imported of getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}
