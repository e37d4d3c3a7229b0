import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { readConfig } from '../../server/config/config'
import { secretFiles } from '../../server/identity/secrets'
import { type Cli, examples, globalsOf } from '../cli'
import { CommandError, printJson, printLines } from '../io'

/** Adds `secrets`. */
export function addSecrets(program: Command, { io }: Cli): void {
  program
    .command('secrets')
    .summary('print the secrets as variables of the environment')
    .description(
      'Prints the three secrets of the data folder as the variables that other processes of the installation need. Whoever has them can sign in as anybody and read all provider keys.',
    )
    .addHelpText('after', examples('secrets'))
    .action((_options: object, command: Command) => {
      const { secretsDir } = readConfig(io.environment, io.root)
      const variables = Object.fromEntries(
        Object.entries(secretFiles).map(([use, name]) => [
          `SITELORE_SECRET_${use.toUpperCase()}`,
          lineOf(join(secretsDir, name), use === 'signing'),
        ]),
      )
      if (globalsOf(command).json) return printJson(io, variables)
      printLines(
        io,
        Object.entries(variables).map(([name, value]) => `${name}=${value}`),
      )
    })
}

/** One line: several keys are separated by spaces, and JSON has characters that shells read. */
function lineOf(file: string, isJson: boolean): string {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return isJson ? Buffer.from(text).toString('base64url') : text.split(/\s+/).join(' ')
  } catch (cause) {
    throw new CommandError(`${file} cannot be read. Start the server once: it creates the secrets.`, { cause })
  }
}
