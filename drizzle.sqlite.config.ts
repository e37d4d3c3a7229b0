import { defineConfig } from 'drizzle-kit'

// db/columns.ts builds the tables for the engine that this variable chooses.
process.env.DATABASE_URL = ''

export default defineConfig({
  dialect: 'sqlite',
  schema: './db/schema',
  // The check of the migrations generates into a copy.
  out: process.env.MIGRATIONS_OUT ?? './db/migrations/sqlite',
  casing: 'snake_case',
})
