import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { type Behaviour, once, pageOf, proseAt, sendPage } from '../behaviour'

/** Larger than the limit of a decompressed page. */
const zeros = () => new Uint8Array(40 * 1024 * 1024)
/** Compressed on first use, in the process that serves it, so that its memory is not counted. */
const gzipBomb = once(() => gzipSync(zeros()))
const brotliBomb = once(() => brotliCompressSync(zeros(), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))
const deflateBomb = once(() => deflateSync(zeros()))
const bombInBomb = once(() => gzipSync(gzipBomb()))
const tooLarge = { type: 'url', source: 'fail too-large' } as const
const bad = { type: 'url', source: 'fail bad-encoding' } as const
const coded = (name: string) => ({ 'content-encoding': name })

/** Bodies that decompress to too much, or are not compressed as declared. */
export const encodings: Behaviour[] = [
  { name: 'gzip bomb', ...tooLarge, quick: true, respond: (exchange) => sendPage(exchange, gzipBomb(), coded('gzip')) },
  {
    name: 'brotli bomb',
    ...tooLarge,
    respond: (exchange) => sendPage(exchange, brotliBomb(), coded('br')),
  },
  { name: 'deflate bomb', ...tooLarge, respond: (exchange) => sendPage(exchange, deflateBomb(), coded('deflate')) },
  {
    name: 'bomb in a bomb',
    ...tooLarge,
    quick: true,
    respond: (exchange) => sendPage(exchange, bombInBomb(), coded('gzip, gzip')),
  },
  {
    name: 'three encodings',
    ...bad,
    respond: (exchange) => sendPage(exchange, gzipSync(gzipSync(gzipSync('words'))), coded('gzip, gzip, gzip')),
  },
  {
    name: 'an encoding that was not accepted',
    ...bad,
    respond: (exchange) => sendPage(exchange, 'words', coded('zstd')),
  },
  {
    name: 'half of a gzip',
    ...bad,
    respond(exchange) {
      const compressed = gzipSync(pageOf('Half', proseAt(exchange)))
      sendPage(exchange, compressed.subarray(0, compressed.length / 2), coded('gzip'))
    },
  },
  {
    name: 'gzip in name only',
    ...bad,
    respond: (exchange) => sendPage(exchange, pageOf('Plain', proseAt(exchange)), coded('gzip')),
  },
  {
    name: 'deflate without a zlib header',
    type: 'url',
    source: 'idle',
    title: 'Raw',
    respond: (exchange) => sendPage(exchange, deflateRawSync(pageOf('Raw', proseAt(exchange))), coded('deflate')),
  },
]
