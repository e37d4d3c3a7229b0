// Checks that no two sibling folders need each other, not even by way of others, and that no file or folder is too large.
import { readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { listFiles } from '../lib/list-files.mjs'
import '../lib/root.mjs'

const ROOMS = ['app', 'cli', 'contract', 'db', 'scripts', 'server', 'tests', 'widget', 'workers']
const MAX_LINES = 400
/** Without the tests beside them. */
const MAX_FILES = 15
/** Their router derives paths from the names of files. */
const ROUTES = 'app/routes'
/** Lists, which are read as data. */
const DATA = ['server/identity/embedded/passwords/common-passwords.ts']

const files = listFiles(ROOMS).filter((file) => /\.(tsx?|mjs)$/.test(file))
const known = new Set(files)
const problems = [...circles(), ...longFiles(), ...largeFolders()]
if (problems.length > 0) {
  console.log(problems.join('\n'))
  process.exit(1)
}

/** Circles of sibling folders, types included. A room above them, or a file beside them, takes what both need. */
function circles() {
  /** @type {Map<string, Map<string, Set<string>>>} Parent -> folder -> folders that it needs. */
  const needs = new Map()
  for (const file of files.filter((name) => !isTest(name))) {
    for (const target of importsOf(file)) {
      const from = dirname(file).split('/')
      const to = dirname(target).split('/')
      const shared = from.findIndex((part, index) => part !== to[index])
      if (shared < 1 || to[shared] === undefined) continue
      const siblings = getOrAdd(needs, from.slice(0, shared).join('/'), () => new Map())
      getOrAdd(siblings, String(from[shared]), () => new Set()).add(String(to[shared]))
    }
  }
  return [...needs].flatMap(([parent, siblings]) =>
    [...siblings.keys()]
      .filter((folder) => reaches(siblings, folder, folder))
      .map((folder) => `${parent}/${folder} is in a circle: it needs ${[...(siblings.get(folder) ?? [])].join(', ')}.`),
  )
}

/**
 * Whether a folder needs another one, also by way of others.
 * @param {Map<string, Set<string>>} needs
 * @param {string} from
 * @param {string} to
 * @param {Set<string>} seen
 * @returns {boolean}
 */
function reaches(needs, from, to, seen = new Set()) {
  return [...(needs.get(from) ?? [])].some((next) => {
    if (next === to) return true
    if (seen.has(next)) return false
    return reaches(needs, next, to, seen.add(next))
  })
}

/** @param {string} file */
function importsOf(file) {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].flatMap(([, path = '']) => {
    const target = posix.normalize(posix.join(dirname(file), path))
    return [target, `${target}.ts`, `${target}.tsx`].find((name) => known.has(name)) ?? []
  })
}

function longFiles() {
  return files.flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n').length - 1
    return lines > MAX_LINES && !DATA.includes(file) ? [`${file} has ${lines} lines; at most ${MAX_LINES}.`] : []
  })
}

function largeFolders() {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const file of files) {
    const isBeside = isTest(file) && !file.startsWith('tests/')
    if (isBeside || file.startsWith(ROUTES)) continue
    const folder = dirname(file)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([folder, count]) =>
    count > MAX_FILES ? [`${folder} has ${count} files; at most ${MAX_FILES}.`] : [],
  )
}

/** @param {string} file */
function isTest(file) {
  return file.includes('.test.')
}

/**
 * @template Key, Value
 * @param {Map<Key, Value>} map
 * @param {Key} key
 * @param {() => Value} create
 */
function getOrAdd(map, key, create) {
  const value = map.get(key) ?? create()
  map.set(key, value)
  return value
}
