import { existsSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * The intents that the action of a route handles, read from its code: those of its own switch, and those of the handlers
 * that it imports as `handle…Action`.
 */
export function intentsOf(file: string): string[] {
  const path = ['.tsx', '.ts'].map((ending) => `app/routes/${file}${ending}`).find((text) => existsSync(root + text))
  if (!path) throw new Error(`There is no route ${file}.`)
  return [...new Set(intentsIn(path))].sort()
}

function intentsIn(path: string): string[] {
  const code = readFileSync(root + path, 'utf8')
  const handlers = [...code.matchAll(/import \{[^}]*\bhandle\w+Action\b[^}]*\} from '([^']+)'/g)]
  const imported = handlers.map(([, from = '']) => `${relative(root, resolve(root, dirname(path), from))}.ts`)
  const switches = [...code.matchAll(/switch \(form\.get\('intent'\)\) \{([\s\S]*?)\n\s*default:/g)]
  const cases = switches.flatMap(([, body = '']) => [...body.matchAll(/case '([\w-]+)':/g)])
  const compared = [...code.matchAll(/form\.get\('intent'\) === '([\w-]+)'/g)]
  return [...[...cases, ...compared].map(([, intent = '']) => intent), ...imported.flatMap(intentsIn)]
}
