/** The process of the command line. Everything else is in `run.ts`, where tests call it. */
import { processEnvironment } from '../server/config'
import { run } from './run'

const { stdout, stderr } = process
const environment = processEnvironment()
const stopping = new AbortController()

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The second time somebody is in a hurry.
    if (stopping.signal.aborted) process.exit(1)
    stopping.abort()
  })
}
// `sitelore search ... | head` closes the pipe before all is written.
stdout.on('error', () => process.exit(0))

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => void stdout.write(text),
  err: (text) => void stderr.write(text),
  columns: stderr.isTTY ? stderr.columns : null,
  environment,
  root: process.cwd(),
  // npm runs scripts in the folder of package.json and names the one where it was called.
  folder: environment.INIT_CWD || process.cwd(),
  signal: stopping.signal,
})
// A connection that is kept alive somewhere must not keep the shell waiting.
setTimeout(() => process.exit(), 1_000).unref()
