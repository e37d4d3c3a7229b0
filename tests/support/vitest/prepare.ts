import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { engine } from '../../../db/engine'
import { openDatabase } from '../../../db/open'
import { ensureBuilt } from '../../../scripts/lib/build.mjs'
import { openSecrets } from '../../../server/identity/secrets'
import { newUrl } from '../database/database'

/**
 * Global setup of the tests in this process: builds the threads, the child processes and the widget, makes the data
 * folder that they copy, and points TMPDIR to a folder that goes away with the run.
 */
export async function setup(project: TestProject) {
  const build = () => ensureBuilt(['server', 'widget'])
  await build()
  project.onTestsRerun(build)

  const folder = await mkdtemp(join(tmpdir(), 'sitelore-tests-'))
  // As the system's own: a test may give up its rights and write there.
  await chmod(folder, 0o777)
  const template = join(folder, 'template')
  openSecrets(join(template, 'secrets'))
  const database = engine === 'postgres' ? await newUrl() : join(template, 'sitelore.db')
  await (await openDatabase(database)).close()
  // Databases of tests are copies of it, which takes less time than migrating each.
  if (engine === 'postgres') process.env.TEST_DATABASE_TEMPLATE = new URL(database).pathname.slice(1)
  // Workers inherit the environment.
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  process.env.TEST_DATA_TEMPLATE = template
  return async () => {
    await rm(folder, { recursive: true, force: true })
    // A later run in this process makes its own.
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}
