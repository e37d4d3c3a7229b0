// `npm run look`: writes what all pages share of their look: the font into public/fonts, cut to the characters and weights
// that pages use, and the tokens into server/look.ts, for the pages that are made without the app. Run it after a change to
// app/styles/tokens.css or to the version of the font, and commit what it writes. With --check, only reports what is out of
// date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { transform } from 'esbuild'
import subsetFont from 'subset-font'
import '../lib/root.mjs'

const FONT = 'node_modules/@fontsource-variable/inter'
const TOKENS = 'app/styles/tokens.css'
const WEIGHTS = { wght: { min: 400, max: 700, default: 400 } }

const { version } = /** @type {{ version: string }} */ (JSON.parse(readFileSync(`${FONT}/package.json`, 'utf8')))
const css = readFileSync(TOKENS, 'utf8')
/** @type {Record<string, Buffer | string>} */
const files = {
  'public/fonts/LICENSE.txt': readFileSync(`${FONT}/LICENSE`),
  'server/look.ts': await look(),
}
for (const subset of ['latin', 'latin-ext']) {
  const whole = readFileSync(`${FONT}/files/inter-${subset}-wght-normal.woff2`)
  const options = { targetFormat: /** @type {const} */ ('woff2'), variationAxes: WEIGHTS }
  files[fontFile(subset)] = await subsetFont(whole, charactersOf(subset), options)
}

const isCheck = process.argv.includes('--check')
if (!isCheck) mkdirSync('public/fonts', { recursive: true })
for (const [file, content] of Object.entries(files)) {
  if (!isCheck) writeFileSync(file, content)
  else if (!existsSync(file) || !Buffer.from(content).equals(readFileSync(file))) {
    console.log(`${file} is out of date: run npm run look.`)
    process.exitCode = 1
  }
}

/**
 * Browsers keep a file forever, so its name has the version.
 * @param {string} subset
 */
function fontFile(subset) {
  const name = `inter-${version}-${subset}.woff2`
  if (!css.includes(`/fonts/${name}`)) throw new Error(`${TOKENS} does not name ${name}.`)
  return `public/fonts/${name}`
}

/** The tokens as a module. */
async function look() {
  const { code } = await transform(css, {
    loader: 'css',
    minify: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
  })
  return `// Generated from ${TOKENS} by scripts/build/build-look.mjs. Do not edit.\nexport const look =\n  '${code.trim()}'\n`
}

/**
 * The characters that the style sheet takes from a file of the font.
 * @param {string} subset
 */
function charactersOf(subset) {
  const face = css.split('@font-face').find((text) => text.includes(`-${subset}.woff2`)) ?? ''
  const ranges = /unicode-range:([^;]+);/.exec(face)?.[1] ?? ''
  return ranges
    .split(',')
    .flatMap((range) => {
      const [first = 0, last = first] = range
        .trim()
        .slice(2)
        .split('-')
        .map((code) => Number.parseInt(code, 16))
      return Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n))
    })
    .join('')
}
