import { table, text } from '../columns'

/** What all processes of an installation share and no person edits, by name. */
export const settings = table('settings', { name: text().primaryKey(), value: text().notNull() })
