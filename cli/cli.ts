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

const exampleStart = '  sitelore '

/** The examples in a command's help. */
export function examples(...calls: string[]): string {
  return `\nExamples:\n${calls.map((call) => exampleStart + call).join('\n')}\n`
}

/** A help text with examples as this command was called: by npm in a clone, else by its own name, as in the container. */
export function asCalled(io: Pick<Io, 'environment'>, help: string): string {
  if (io.environment.npm_lifecycle_event !== 'sitelore') return help
  return help.replaceAll(`\n${exampleStart}`, '\n  npm run -s sitelore -- ')
}
