// Assembles server/adapters/vector-index/scan/kernel.wat into kernel-wasm.ts beside it; with --check it says whether that is
// what is there. To be run after a change of the source, and committed with it.
import { readFileSync, writeFileSync } from 'node:fs'
import openWabt from 'wabt'
import './lib/root.mjs'

const folder = 'server/adapters/vector-index/scan'
const wabt = await openWabt()
const features = { simd: true, threads: true, sat_float_to_int: true, sign_extension: true }
const module = wabt.parseWat('kernel.wat', readFileSync(`${folder}/kernel.wat`, 'utf8'), features)
const buffer = Uint8Array.from(module.toBinary({}).buffer)
if (!WebAssembly.validate(buffer)) throw new Error('kernel.wat gives a module that is not valid.')
const base64 = Buffer.from(buffer).toString('base64')
const built = `// Made by scripts/build-kernel.mjs from kernel.wat: not to be edited.
export const kernelBase64 =
  '${base64}'
`

if (!process.argv.includes('--check')) writeFileSync(`${folder}/kernel-wasm.ts`, built)
else if (readFileSync(`${folder}/kernel-wasm.ts`, 'utf8') !== built) {
  console.log('kernel-wasm.ts is not what kernel.wat says: run node scripts/build-kernel.mjs.')
  process.exitCode = 1
}
