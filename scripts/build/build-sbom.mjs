// Writes what ships besides our own code: build/sbom.cdx.json (CycloneDX) lists packages, font and model with their licenses,
// build/licenses.txt has the texts of the licenses.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNpm } from '../lib/install.mjs'
import '../lib/root.mjs'

/**
 * @typedef {{
 *   type: string, name: string, version: string, purl?: string,
 *   licenses?: { license?: { id?: string, name?: string }, expression?: string }[],
 * }} Component
 */

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

const { name, version, devDependencies } = readJson('package.json')
const font = '@fontsource-variable/inter'
const model = 'models/all-MiniLM-L6-v2'

/** Components that are not packages of npm, and where their licenses are. */
const assets = [
  {
    component: { type: 'file', name: 'Inter', version: devDependencies[font], licenses: licensed('OFL-1.1') },
    folder: 'public/fonts',
  },
  {
    component: {
      type: 'machine-learning-model',
      name: 'sentence-transformers/all-MiniLM-L6-v2',
      version: '4703a0205651',
      licenses: licensed('Apache-2.0'),
    },
    folder: model,
  },
]

const npm = findNpm()
// With --omit=dev, npm also leaves out what a package for development shares with one that ships.
/** @type {{ metadata: { component: Record<string, unknown> }, components: Component[] }} */
const sbom = JSON.parse(
  execFileSync(
    npm.command,
    [...npm.args, 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--include=dev'],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      shell: npm.shell,
    },
  ),
)
const folders = installedFolders()
const packages = sbom.components.filter((component) => folders.has(idOf(component))).map(withLicense)
Object.assign(sbom.metadata.component, { type: 'application', name, version })
sbom.components = [...packages, ...assets.map(({ component }) => component)]

const texts = [
  ...packages.map((component) => ({ component, folder: folders.get(idOf(component)) ?? '' })),
  ...assets,
].map(({ component, folder }) => `${headingOf(component)}\n\n${licenseTexts(folder)}`)

mkdirSync('build', { recursive: true })
writeFileSync('build/sbom.cdx.json', `${JSON.stringify(sbom, null, 1)}\n`)
writeFileSync('build/licenses.txt', texts.join(`\n\n${'-'.repeat(80)}\n\n`))

/** @param {string} id of SPDX */
function licensed(id) {
  return [{ license: { id } }]
}

/** @param {{ name: string, version: string }} component */
function idOf(component) {
  return `${component.name}@${component.version}`
}

/**
 * The folders of the packages that are not for development alone, by name and version. Optional packages for other platforms
 * are in the lockfile, but not installed.
 * @returns {Map<string, string>}
 */
function installedFolders() {
  const { packages: locked } = readJson('package-lock.json')
  return new Map(
    Object.keys(locked)
      .filter(
        (folder) =>
          folder !== '' &&
          !locked[folder].dev &&
          !locked[folder].devOptional &&
          existsSync(join(folder, 'package.json')),
      )
      .map((folder) => [
        `${locked[folder].name ?? folder.split('node_modules/').at(-1)}@${locked[folder].version}`,
        folder,
      ]),
  )
}

/**
 * The lockfile lacks the license of some packages.
 * @param {Component} component
 * @returns {Component}
 */
function withLicense(component) {
  if (component.licenses?.length) return component
  const { license } = readJson(join(folders.get(idOf(component)) ?? '', 'package.json'))
  return { ...component, licenses: [{ license: { name: license } }] }
}

/** @param {Component} component */
function headingOf(component) {
  const licenses = (component.licenses ?? []).map(
    ({ license, expression }) => expression ?? license?.id ?? license?.name,
  )
  return `${idOf(component)}${licenses.length === 0 ? '' : `: ${licenses.join(', ')}`}`
}

/** @param {string} folder */
function licenseTexts(folder) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
  return (
    files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n') ||
    'The package has no license file.'
  )
}
