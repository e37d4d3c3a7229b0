import { eq } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { settings } from '../../../db/schema/settings'

const name = 'embedding-model'

/** Returns the model of the installation, which is the first that a process of it used. */
export async function agreeOnModel(db: Database, model: string): Promise<string> {
  await db.writeOne((tx) => tx.insert(settings).values({ name, value: model }).onConflictDoNothing())
  const [row] = await db.read.select().from(settings).where(eq(settings.name, name))
  return row?.value ?? model
}

/** Changes the model of the installation. Processes use it from their next start. */
export async function changeModel(db: Database, model: string): Promise<void> {
  await db.writeOne((tx) =>
    tx
      .insert(settings)
      .values({ name, value: model })
      .onConflictDoUpdate({ target: settings.name, set: { value: model } }),
  )
}
