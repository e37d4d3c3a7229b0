/** The entry point of the command line. Everything that tests call is in `run.ts`. */
import { readEnvironment } from '../server/config/config'
import { run } from './run'

const { stdout, stderr } = process
const environment = readEnvironment()
const stopping = new AbortController()

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The second Ctrl-C exits at once.
    if (stopping.signal.aborted) process.exit(1)
    stopping.abort()
  })
}
// `sitelore search ... | head` closes the pipe early.
stdout.on('error', () => process.exit(0))

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => void stdout.write(text),
  isTerminal: stdout.isTTY,
  err: (text) => void stderr.write(text),
  columns: stderr.isTTY ? stderr.columns : null,
  environment,
  root: process.cwd(),
  // npm runs scripts in the folder of package.json and passes the caller's folder in INIT_CWD.
  folder: environment.INIT_CWD || process.cwd(),
  signal: stopping.signal,
})
// An open keep-alive connection must not delay the exit.
setTimeout(() => process.exit(), 1_000).unref()
