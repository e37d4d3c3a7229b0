import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
const TEXT = /\.(js|css|svg|json)$/
/** Smaller files fit into one packet as they are. */
const MIN_BYTES = 1_000

/**
 * Writes the files of a folder compressed beside them, once and as small as possible, so that the server compresses none.
 * @param {string} folder
 */
export async function compressFiles(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  for (const file of files.filter((name) => TEXT.test(name) && statSync(name).size >= MIN_BYTES)) {
    const content = readFileSync(file)
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    writeFileSync(`${file}.br`, await brotli(content, { params: quality }))
    writeFileSync(`${file}.gz`, await gzipped(content, { level: 9 }))
  }
}
