import type { Command } from 'commander'
import type { Globals, Io } from './io'

/** What the commands share: where they read and write, and how the last one ended. */
export interface Cli {
  io: Io
  exitCode: number
}

export function globalsOf(command: Command): Globals {
  const { organization, json } = command.optsWithGlobals<Globals>()
  return { ...(organization === undefined ? {} : { organization }), json: json === true }
}

/** The part of a command's help that shows how it is called. */
export function examples(...calls: string[]): string {
  return `\nExamples:\n${calls.map((call) => `  npm run -s sitelore -- ${call}`).join('\n')}\n`
}
