import type { Writable } from 'node:stream'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { xmlEncodingOf } from '../../charset/xml-encoding'
import { crawlLimits } from '../../limits'
import { createEntryReader, type SitemapFile } from './sitemap-entries'

export interface SitemapReader {
  /** Reads the next chunk of the file, of any length. Never rejects. */
  write(chunk: Uint8Array): Promise<void>
  /** The content of all chunks. Releases the decompressor, so always call it. */
  end(): Promise<SitemapFile>
}

/** Parsed within a few milliseconds. */
const chunkBytes = 64 * 1024
/** Bytes that identify the compression and the encoding of a file. */
const headerBytes = { compression: 2, encoding: 256 }

/**
 * Reads one sitemap file (sitemaps.org) as it arrives, plain or gzip by its first bytes, in the encoding of its byte
 * order mark or XML declaration. Does not keep the file; yields to the event loop between chunks.
 */
export function createSitemapReader(): SitemapReader {
  const entries = createEntryReader()
  const isOver = () => isTooLarge || entries.isDone()
  let isTooLarge = false
  let size = 0
  let decoder: TextDecoder | null = null
  let gunzip: Sink | null = null
  let write: Write | null = null

  const decompressed = bufferHeader(headerBytes.encoding, async (bytes) => {
    decoder ??= new TextDecoder(xmlEncodingOf(bytes))
    for (let index = 0; index < bytes.length && !isOver(); index += chunkBytes) {
      if (index > 0) await yieldToEventLoop()
      const chunk = bytes.subarray(index, index + chunkBytes)
      size += chunk.length
      isTooLarge = size > crawlLimits.sitemap.decodedBytes
      if (!isTooLarge) entries.write(decoder.decode(chunk, { stream: true }))
    }
  })

  const file = bufferHeader(headerBytes.compression, async (bytes) => {
    if (write === null && bytes[0] === 0x1f && bytes[1] === 0x8b) {
      gunzip = createDecompressor(decompressed.write, isOver)
      write = gunzip.write
    }
    write ??= decompressed.write
    await write(bytes)
  })

  return {
    write: file.write,
    async end() {
      await file.end()
      await gunzip?.end()
      await decompressed.end()
      return isTooLarge ? { kind: 'refused', reason: 'too-large' } : entries.end()
    },
  }
}

type Write = (bytes: Uint8Array) => Promise<void>

interface Sink {
  write: Write
  end(): Promise<void>
}

/** Forwards chunks; the first one has at least `minBytes`, unless the input ends before. */
function bufferHeader(minBytes: number, forward: Write): Sink {
  let header: Uint8Array | null = new Uint8Array()

  async function flush(): Promise<void> {
    const bytes = header
    header = null
    if (bytes) await forward(bytes)
  }

  return {
    async write(bytes) {
      if (header === null) return forward(bytes)
      header = header.length === 0 ? bytes : Buffer.concat([header, bytes])
      if (header.length >= minBytes) await flush()
    },
    end: flush,
  }
}

/** Decompresses gzip until `isOver`, or until the first error in the file. */
function createDecompressor(forward: Write, isOver: () => boolean): Sink {
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  const done = forwardAll()

  async function forwardAll(): Promise<void> {
    try {
      for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
        await forward(chunk)
        if (isOver()) return
      }
    } catch {
      // The chunks before the error are forwarded.
    }
  }

  return {
    async write(bytes) {
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
