import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'

/** Runs a command, ends it as kill -9 does at the first line of its progress, and runs it again. Returns its output. */
export async function runKilledOnce(env: NodeJS.ProcessEnv, ...argv: string[]): Promise<string> {
  const child = spawn(process.execPath, ['build/app/cli.js', ...argv], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  await once(child.stderr, 'data')
  child.kill('SIGKILL')
  const [, signal] = await ended
  if (signal !== 'SIGKILL') throw new Error('The command ended before it was killed.')
  return (await promisify(execFile)(process.execPath, ['build/app/cli.js', ...argv], { env })).stdout
}
