import type { Command } from 'commander'
import type { Globals, Io } from './io'

/** State that all commands share. */
export interface Cli {
  io: Io
  exitCode: number
}

export function globalsOf(command: Command): Globals {
  const { organization, json } = command.optsWithGlobals<Globals>()
  return { ...(organization === undefined ? {} : { organization }), json: json === true }
}

/** The examples in a command's help. */
export function examples(...calls: string[]): string {
  return `\nExamples:\n${calls.map((call) => `  npm run -s sitelore -- ${call}`).join('\n')}\n`
}
