// Does what the Dockerfile does, without a container engine: builds from the files that .dockerignore lets through, copies
// what the image gets, and starts it. Fails where the build or the server misses a file.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../lib/root.mjs'

const START_MS = 60_000

const work = mkdtempSync(join(tmpdir(), 'sitelore-image-'))
try {
  const stages = readStages(readFileSync('Dockerfile', 'utf8'))
  const [build, image] = stages.map((_, index) => join(work, String(index)))
  if (!build || !image || stages.length !== 2) throw new Error('The Dockerfile has two stages: build, and the image.')
  copyContext(build)
  symlinkSync(join(root, 'node_modules'), join(build, 'node_modules'))
  runBuild(build)
  mkdirSync(image)
  for (const paths of stages[1] ?? []) {
    const [target = '', ...sources] = [...paths].reverse()
    for (const source of sources.reverse()) {
      // The build stage starts from the whole context and only adds to it.
      const origin = join(build, source.replace(/^\/app\//, ''))
      if (!existsSync(origin)) throw new Error(`The Dockerfile copies ${source}, which is not there.`)
      else cpSync(origin, join(image, target.endsWith('/') ? join(target, source) : target), { recursive: true })
    }
  }
  await serve(image)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/**
 * The COPY instructions of each stage.
 * @param {string} text
 */
function readStages(text) {
  /** @type {string[][][]} */
  const stages = []
  for (const line of text.split('\n')) {
    if (line.startsWith('FROM ')) stages.push([])
    const [, paths] = /^COPY (?:--from=\S+ )?(.+)$/.exec(line) ?? []
    if (paths) stages.at(-1)?.push(paths.trim().split(/\s+/))
  }
  return stages
}

/**
 * Copies the files of this repository that .dockerignore lets through.
 * @param {string} target
 */
function copyContext(target) {
  const rules = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), matches: matcherOf(line.replace(/^!/, '')) }))
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 27,
  })
  if (listed.status !== 0) throw new Error(`git could not list the files: ${listed.stderr}`)
  for (const file of listed.stdout.split('\0').filter((text) => text && existsSync(text))) {
    // The last rule that matches decides.
    if (rules.findLast(({ matches }) => matches(file))?.isKept === false) continue
    mkdirSync(dirname(join(target, file)), { recursive: true })
    cpSync(file, join(target, file), { preserveTimestamps: true })
  }
}

/**
 * A pattern of .dockerignore matches a path and what is below it.
 * @param {string} pattern
 */
function matcherOf(pattern) {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(.*/)?'))
  const whole = new RegExp(`^${source}(/|$)`)
  return (/** @type {string} */ path) => whole.test(path)
}

/** @param {string} folder */
function runBuild(folder) {
  for (const script of ['scripts/build.mjs', 'scripts/build/copy-runtime-packages.mjs']) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${script} fails with the files of the image:\n${stdout}${stderr}`)
  }
}

/**
 * Starts the server, and requests what it reads from files.
 * @param {string} folder
 */
async function serve(folder) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(work, 'data') }
  const child = spawn(process.execPath, ['build/app/index.js'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  try {
    const origin = await new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`The server did not start in time:\n${output}`)), START_MS)
      const collect = (/** @type {Buffer} */ part) => {
        output += part
        const [, port] = /is ready at http:\/\/localhost:(\d+)/.exec(output) ?? []
        if (!port) return
        clearTimeout(late)
        resolve(`http://localhost:${port}`)
      }
      child.stdout.on('data', collect)
      child.stderr.on('data', collect)
      child.once('exit', () => reject(new Error(`The server ends with the files of the image:\n${output}`)))
    })
    for (const path of ['/readyz', '/', '/help/getting-started', '/widget.js', '/v1/openapi.json']) {
      const { status } = await fetch(origin + path)
      if (status !== 200) throw new Error(`${path} responds ${status} with the files of the image.`)
    }
  } finally {
    child.removeAllListeners('exit')
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
  }
}
