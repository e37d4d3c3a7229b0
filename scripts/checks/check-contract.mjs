// Checks that docs/contract.md and docs/texts.md say what the tags of the tests say; with --write, writes them.
import { readFileSync, writeFileSync } from 'node:fs'
import { contractPage, readTags, strayTags, textsPage } from '../lib/contract-docs.mjs'

const { claims, texts, problems } = readTags()
problems.push(...strayTags(claims, texts).map((name) => `No section of the docs is about ${name}.`))
// Texts are shown by browsers, by pages over HTTP, and by components that are rendered.
problems.push(
  ...texts
    .filter(({ file }) => !/^tests\/(e2e|http)\/.+\.test\.ts$|\.test\.tsx$/.test(file))
    .map(({ file, text }) => `${file} renders nothing, so it does not show: ${text}`),
)
const pages = { 'docs/contract.md': contractPage(claims), 'docs/texts.md': textsPage(texts) }
for (const [file, page] of Object.entries(pages)) {
  if (process.argv.includes('--write')) writeFileSync(file, page)
  else if (readFileSync(file, 'utf8') !== page) problems.push(`${file} is not what the tests say: run npm run docs.`)
}
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0
