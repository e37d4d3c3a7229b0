import { Argument, type Command } from 'commander'
import type { Cli } from './cli'
import { examples } from './cli'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** Adds `completion`. */
export function addCompletion(program: Command, { io }: Cli): void {
  program
    .command('completion')
    .summary('print a script that completes commands in a shell')
    .description('Prints a script for bash, zsh or fish that completes the commands and their options.')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(shells))
    .addHelpText('after', examples('completion bash > ~/.local/share/bash-completion/completions/sitelore'))
    .action((shell: Shell) => io.out(scripts[shell](wordsAfter(program))))
}

/** The words that can follow a command: its subcommands, and its options with those of the program. */
type Words = [path: string, words: string[]][]

function wordsAfter(program: Command): Words {
  const globals = optionsOf(program)
  return visit(program, '').map(([path, words]) => [path, [...words, ...globals]])
}

function visit(command: Command, path: string): Words {
  const subcommands = command.commands.map((item) => item.name())
  return [
    [path, [...subcommands, ...(path === '' ? [] : optionsOf(command))]],
    ...command.commands.flatMap((item) => visit(item, `${path} ${item.name()}`.trim())),
  ]
}

function optionsOf(command: Command): string[] {
  return [...command.options.flatMap(({ long }) => long ?? []), '--help']
}

const scripts: Record<Shell, (words: Words) => string> = {
  bash: (words) => `_sitelore() {
  local path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || path="\${path:+$path }$word"
  done
  local words
  case "$path" in
${casesOf(words)}
    *) words="" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _sitelore sitelore
`,
  zsh: (words) => `#compdef sitelore
_sitelore() {
  local path="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || path="\${path:+$path }$word"
  done
  local words_of
  case "$path" in
${casesOf(words).replaceAll('words=', 'words_of=')}
    *) words_of="" ;;
  esac
  compadd -- \${=words_of} || _files
}
compdef _sitelore sitelore
`,
  fish: (words) =>
    words
      .flatMap(([path, after]) => {
        const condition =
          path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`
        return after.map((word) =>
          word.startsWith('--')
            ? `complete -c sitelore -n '${condition}' -l ${word.slice(2)}`
            : `complete -c sitelore -n '${condition}' -a ${word}`,
        )
      })
      .join('\n')
      .concat('\n'),
}

function casesOf(words: Words): string {
  return words.map(([path, after]) => `    "${path}") words="${after.join(' ')}" ;;`).join('\n')
}
