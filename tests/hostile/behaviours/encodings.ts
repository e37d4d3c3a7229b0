import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { type Behaviour, pageOf, proseAt, sendPage } from '../behaviour'

/** More than is read of a page once it is unpacked; packed beforehand, so that no answer waits for it. */
const zeros = new Uint8Array(40 * 1024 * 1024)
const bombs = { gzip: gzipSync(zeros), br: brotliCompressSync(zeros), deflate: deflateSync(zeros) }
const twice = gzipSync(bombs.gzip)
const tooLarge = { type: 'url', source: 'fail too-large' } as const
const bad = { type: 'url', source: 'fail bad-encoding' } as const
const coded = (name: string) => ({ 'content-encoding': name })

/** What is packed to burst, or not packed as it says. */
export const encodings: Behaviour[] = [
  { name: 'gzip bomb', ...tooLarge, quick: true, answer: (ask) => sendPage(ask, bombs.gzip, coded('gzip')) },
  {
    name: 'brotli bomb',
    ...tooLarge,
    answer: (ask) => sendPage(ask, bombs.br, coded('br')),
  },
  { name: 'deflate bomb', ...tooLarge, answer: (ask) => sendPage(ask, bombs.deflate, coded('deflate')) },
  {
    name: 'bomb in a bomb',
    ...tooLarge,
    quick: true,
    answer: (ask) => sendPage(ask, twice, coded('gzip, gzip')),
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
