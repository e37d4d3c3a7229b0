import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { type Behaviour, once, pageOf, proseAt, sendPage } from '../behaviour'

/** More than is read of a page once it is unpacked. */
const zeros = () => new Uint8Array(40 * 1024 * 1024)
/** Packed when the first one asks, in the process that serves it: nobody else carries it. */
const gzipBomb = once(() => gzipSync(zeros()))
const brotliBomb = once(() => brotliCompressSync(zeros(), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))
const deflateBomb = once(() => deflateSync(zeros()))
const bombInBomb = once(() => gzipSync(gzipBomb()))
const tooLarge = { type: 'url', source: 'fail too-large' } as const
const bad = { type: 'url', source: 'fail bad-encoding' } as const
const coded = (name: string) => ({ 'content-encoding': name })

/** What is packed to burst, or not packed as it says. */
export const encodings: Behaviour[] = [
  { name: 'gzip bomb', ...tooLarge, quick: true, answer: (ask) => sendPage(ask, gzipBomb(), coded('gzip')) },
  {
    name: 'brotli bomb',
    ...tooLarge,
    answer: (ask) => sendPage(ask, brotliBomb(), coded('br')),
  },
  { name: 'deflate bomb', ...tooLarge, answer: (ask) => sendPage(ask, deflateBomb(), coded('deflate')) },
  {
    name: 'bomb in a bomb',
    ...tooLarge,
    quick: true,
    answer: (ask) => sendPage(ask, bombInBomb(), coded('gzip, gzip')),
  },
  {
    name: 'three encodings',
    ...bad,
    answer: (ask) => sendPage(ask, gzipSync(gzipSync(gzipSync('words'))), coded('gzip, gzip, gzip')),
  },
  { name: 'an encoding nobody asked for', ...bad, answer: (ask) => sendPage(ask, 'words', coded('zstd')) },
  {
    name: 'half of a gzip',
    ...bad,
    answer(ask) {
      const packed = gzipSync(pageOf('Half', proseAt(ask)))
      sendPage(ask, packed.subarray(0, packed.length / 2), coded('gzip'))
    },
  },
  { name: 'gzip in name only', ...bad, answer: (ask) => sendPage(ask, pageOf('Plain', proseAt(ask)), coded('gzip')) },
  {
    name: 'deflate without its wrapping',
    type: 'url',
    source: 'idle',
    title: 'Raw',
    answer: (ask) => sendPage(ask, deflateRawSync(pageOf('Raw', proseAt(ask))), coded('deflate')),
  },
]
