// Checks that the migrations of both engines match the schema: drizzle-kit must have nothing to add. A database skips
// migrations that are older than its last one, so their times must ascend.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import '../lib/root.mjs'

for (const engine of ['sqlite', 'postgres']) {
  const committed = `db/migrations/${engine}`
  const copy = `.cache/migrations/${engine}`
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy, { recursive: true })
  cpSync(committed, copy, { recursive: true })
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/drizzle-kit/bin.cjs', 'generate', '--config', `drizzle.${engine}.config.ts`, '--name', 'missing'],
    { env: { ...process.env, MIGRATIONS_OUT: `./${copy}` }, encoding: 'utf8' },
  )
  const { entries } = JSON.parse(readFileSync(`${committed}/meta/_journal.json`, 'utf8'))
  for (const [n, { when, tag }] of entries.entries()) {
    if (n === 0 || when > entries[n - 1].when) continue
    console.log(`${committed}/meta/_journal.json: ${tag} is not after ${entries[n - 1].tag}; raise its 'when'.`)
    process.exitCode = 1
  }
  const added = readdirSync(copy).filter((name) => !readdirSync(committed).includes(name))
  if (status !== 0 || added.length > 0) {
    console.log(`${stdout}${stderr}`.trim())
    console.log(`The tables and db/migrations/${engine} differ: run npm run db:generate and commit what it writes.`)
    process.exitCode = 1
  }
}
