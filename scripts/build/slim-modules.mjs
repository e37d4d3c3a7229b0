// For container images: removes from node_modules what never runs there.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import '../lib/root.mjs'

// The ONNX runtime comes with binaries for every platform and for graphics cards.
const binaries = 'node_modules/onnxruntime-node/bin'

for (const version of readdirSync(binaries)) {
  for (const platform of readdirSync(join(binaries, version))) {
    const folder = join(binaries, version, platform)
    if (platform !== process.platform) rmSync(folder, { recursive: true })
    else keepProcessor(folder)
  }
}

/** @param {string} folder the binaries of this platform, one folder for each processor */
function keepProcessor(folder) {
  for (const processor of readdirSync(folder)) {
    if (processor !== process.arch) rmSync(join(folder, processor), { recursive: true })
  }
  for (const file of readdirSync(join(folder, process.arch))) {
    if (/cuda|tensorrt/.test(file)) rmSync(join(folder, process.arch, file))
  }
}

// The sources of both SQLite drivers, and the binaries for other platforms.
for (const driver of ['better-sqlite3', 'better-sqlite3-node20']) {
  for (const part of ['deps', 'src', 'build/Release/obj', 'build/Release/obj.target']) {
    rmSync(join('node_modules', driver, part), { recursive: true, force: true })
  }
}
const drivers = 'node_modules/better-sqlite3/prebuilds'
for (const name of readdirSync(drivers)) {
  if (name !== `${process.platform}-${process.arch}.node`) rmSync(join(drivers, name))
}

// The renderer of PDF pages; only their text is read.
for (const name of readdirSync('node_modules/@napi-rs')) {
  if (name.startsWith('canvas')) rmSync(join('node_modules/@napi-rs', name), { recursive: true })
}
