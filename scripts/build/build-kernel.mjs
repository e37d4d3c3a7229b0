// Assembles server/adapters/vector-index/kernel/kernel.wat into kernel-wasm.ts in the same folder. With --check, only reports
// whether that file is up to date. Run it after a change to the source, and commit both files.
import { readFileSync, writeFileSync } from 'node:fs'
import openWabt from 'wabt'
import '../lib/root.mjs'

const folder = 'server/adapters/vector-index/kernel'
const wabt = await openWabt()
const features = { simd: true, threads: true, sat_float_to_int: true, sign_extension: true }
const module = wabt.parseWat('kernel.wat', readFileSync(`${folder}/kernel.wat`, 'utf8'), features)
const buffer = Uint8Array.from(module.toBinary({}).buffer)
if (!WebAssembly.validate(buffer)) throw new Error('kernel.wat does not assemble to a valid module.')
const base64 = Buffer.from(buffer).toString('base64')
const built = `// Generated from kernel.wat by scripts/build/build-kernel.mjs. Do not edit.
export const kernelBase64 =
  '${base64}'
`

if (!process.argv.includes('--check')) writeFileSync(`${folder}/kernel-wasm.ts`, built)
else if (readFileSync(`${folder}/kernel-wasm.ts`, 'utf8') !== built) {
  console.log('kernel-wasm.ts is out of date: run node scripts/build/build-kernel.mjs.')
  process.exitCode = 1
}
