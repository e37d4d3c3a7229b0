// Checks that the migrations of both engines match the schema: drizzle-kit must have nothing to add.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
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
  const added = readdirSync(copy).filter((name) => !readdirSync(committed).includes(name))
  if (status !== 0 || added.length > 0) {
    console.log(`${stdout}${stderr}`.trim())
    console.log(`The tables and db/migrations/${engine} differ: run npm run db:generate and commit what it writes.`)
    process.exitCode = 1
  }
}
