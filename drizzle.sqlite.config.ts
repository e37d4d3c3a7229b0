import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: './db/schema',
  // The check of the migrations generates into a copy.
  out: process.env.MIGRATIONS_OUT ?? './db/migrations/sqlite',
  casing: 'snake_case',
})
