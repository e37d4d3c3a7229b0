import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PACKAGE = new URL('../../node_modules/lucide-react/dist/esm/', import.meta.url)
const IMPORT = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["'];?/g

/**
 * Makes pages import each icon from its own file. Through the file that exports all of them, Rollup would give every icon
 * that any page uses to the first group of modules that imports one.
 * @returns {import('vite').Plugin}
 */
export function iconFiles() {
  const exported = readFileSync(new URL('lucide-react.mjs', PACKAGE), 'utf8')
  /** @type {Map<string, string>} */
  const files = new Map()
  for (const [, names = '', file = ''] of exported.matchAll(/export \{([^}]*)\} from '\.\/(icons\/[^']*)'/g))
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g))
      files.set(name, fileURLToPath(new URL(file, PACKAGE)))
  return {
    name: 'icon-files',
    apply: 'build',
    transform(code, id) {
      if (!code.includes('lucide-react') || id.includes('/node_modules/')) return null
      return code.replace(IMPORT, (_, names) =>
        names
          .split(',')
          .map((/** @type {string} */ part) => {
            const [name = '', , local = name] = part.trim().split(' ')
            const file = files.get(name)
            if (!file) this.error(`lucide-react has no icon '${name}'.`)
            return `import ${local} from ${JSON.stringify(file)};`
          })
          .join(' '),
      )
    },
  }
}
