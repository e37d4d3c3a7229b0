import { defineConfig } from 'drizzle-kit'

// db/columns.ts builds the tables for the engine that this variable names; nothing connects to it.
process.env.DATABASE_URL = 'postgres:'

export default defineConfig({
  dialect: 'postgresql',
  schema: './db/schema',
  // The check of the migrations generates into a copy.
  out: process.env.MIGRATIONS_OUT ?? './db/migrations/postgres',
  casing: 'snake_case',
})
