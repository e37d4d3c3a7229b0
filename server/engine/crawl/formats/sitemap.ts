import type { Writable } from 'node:stream'
import { setImmediate as breathe } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { xmlEncodingOf } from '../../charset/xml-encoding'
import { crawlLimits } from '../../limits'
import { createEntryReader, type SitemapFile } from './sitemap-entries'

export interface SitemapReader {
  /** Reads the next piece of the file, of any length. Never rejects. */
  take(piece: Uint8Array): Promise<void>
  /** What stood in the pieces. It frees what unpacks them, so it is called even where nobody wants to know. */
  end(): Promise<SitemapFile>
}

/** So much is parsed within a few milliseconds. */
const pieceBytes = 64 * 1024
/** Bytes that tell how a file is packed, and in which encoding it is written. */
const telling = { packing: 2, encoding: 256 }

/**
 * Reads one sitemap file (sitemaps.org) while it comes, plain or gzip by its first bytes, in the encoding that its mark
 * or its XML declaration names. Of the file itself nothing is kept. The event loop breathes between pieces.
 */
export function createSitemapReader(): SitemapReader {
  const entries = createEntryReader()
  const isOver = () => isTooLarge || entries.isDone()
  let isTooLarge = false
  let size = 0
  let decoder: TextDecoder | null = null
  let unpacker: ReturnType<typeof createUnpacker> | null = null
  let takePacked: Take | null = null

  const unpacked = withWholeStart(telling.encoding, async (bytes) => {
    decoder ??= new TextDecoder(xmlEncodingOf(bytes))
    for (let at = 0; at < bytes.length && !isOver(); at += pieceBytes) {
      if (at > 0) await breathe()
      const piece = bytes.subarray(at, at + pieceBytes)
      size += piece.length
      isTooLarge = size > crawlLimits.sitemap.decodedBytes
      if (!isTooLarge) entries.write(decoder.decode(piece, { stream: true }))
    }
  })

  const packed = withWholeStart(telling.packing, async (bytes) => {
    if (takePacked === null && bytes[0] === 0x1f && bytes[1] === 0x8b) {
      unpacker = createUnpacker(unpacked.take, isOver)
      takePacked = unpacker.take
    }
    takePacked ??= unpacked.take
    await takePacked(bytes)
  })

  return {
    take: packed.take,
    async end() {
      await packed.end()
      await unpacker?.end()
      await unpacked.end()
      return isTooLarge ? { kind: 'refused', reason: 'too-large' } : entries.end()
    },
  }
}

type Take = (bytes: Uint8Array) => Promise<void>

/** Hands on what it is given, the first `least` bytes in one piece. */
function withWholeStart(least: number, handOn: Take): { take: Take; end(): Promise<void> } {
  let held: Uint8Array | null = new Uint8Array()

  async function handOnHeld(): Promise<void> {
    const start = held
    held = null
    if (start) await handOn(start)
  }

  return {
    async take(bytes) {
      if (held === null) return handOn(bytes)
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      if (held.length >= least) await handOnHeld()
    },
    end: handOnHeld,
  }
}

/** Undoes gzip until nobody wants more, or the file cannot be unpacked any further. */
function createUnpacker(handOn: Take, isOver: () => boolean): { take: Take; end(): Promise<void> } {
  const gunzip = createGunzip({ chunkSize: pieceBytes })
  const done = handOnAll()

  async function handOnAll(): Promise<void> {
    try {
      for await (const piece of gunzip as AsyncIterable<Uint8Array>) {
        await handOn(piece)
        if (isOver()) return
      }
    } catch {
      // What came before was read.
    }
  }

  return {
    async take(bytes) {
      if (!gunzip.destroyed && !gunzip.write(bytes)) await drained(gunzip)
    },
    async end() {
      gunzip.end()
      await done
    },
  }
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    function settle(): void {
      stream.off('drain', settle).off('close', settle)
      resolve()
    }
    stream.on('drain', settle).on('close', settle)
  })
}
