/**
 * Makes thousands of requests from the description at /v1/openapi.json, on a server of its own on the loopback, and fails
 * on any answer that is a fault of the server or is not described:
 *
 *   npm run schemathesis [-- --seed 7] [--examples 40]
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { seed: { type: 'string' }, examples: { type: 'string', default: '20' } } })
const venv = join(tmpdir(), 'schemathesis')
const command = [process.env.SCHEMATHESIS, join(venv, 'bin/schemathesis'), 'schemathesis'].find(
  (name) => name && (existsSync(name) || spawnSync(name, ['--version']).status === 0),
)
if (!command) {
  console.log(`Install it first: python3 -m venv ${venv} && ${venv}/bin/pip install schemathesis==4.32.5`)
  process.exit(1)
}
const seed = values.seed ?? String(Math.floor(Math.random() * 1e6))
console.log(`seed ${seed}, ${values.examples} examples an operation`)
const test = spawn('npx', ['vitest', 'run', '--project', 'proof', 'tests/proofs/schemathesis.test.ts'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    SCHEMATHESIS: command,
    SCHEMATHESIS_SEED: seed,
    SCHEMATHESIS_EXAMPLES: values.examples,
  },
})
test.once('exit', (code) => {
  process.exitCode = code ?? 1
})
