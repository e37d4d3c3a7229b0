import { bytes, table, text } from '../columns'
import { users } from './users'

/** Pictures of people. Served by the product itself, so that no page loads anything from another host. */
export const pictures = table('pictures', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** A sign-in replaces a picture of the provider, never one that the person chose or removed. */
  origin: text({ enum: ['provider', 'person'] }).notNull(),
  mediaType: text(),
  /** Null if the person removed the picture. */
  content: bytes(),
})
