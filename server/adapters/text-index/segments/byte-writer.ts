const firstBlockBytes = 1_024
const maxBlockBytes = 262_144

/** Bytes that grow as they are written, in blocks, so that they are never copied to grow. */
export class ByteWriter {
  private readonly full: Uint8Array[] = []
  private block = new Uint8Array(firstBlockBytes)
  private used = 0
  private fullBytes = 0

  get size(): number {
    return this.fullBytes + this.used
  }

  byte(value: number): void {
    if (this.used === this.block.length) this.startBlock()
    this.block[this.used++] = value
  }

  uint16(value: number): void {
    this.byte(value & 255)
    this.byte(value >>> 8)
  }

  uint32(value: number): void {
    this.uint16(value & 0xffff)
    this.uint16(value >>> 16)
  }

  /** Seven bits per byte, the lowest first; all bytes but the last have the highest bit set. */
  varint(value: number): void {
    let rest = value
    for (; rest > 127; rest >>>= 7) this.byte((rest & 127) | 128)
    this.byte(rest)
  }

  append(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length; ) {
      if (this.used === this.block.length) this.startBlock()
      const part = bytes.subarray(start, start + this.block.length - this.used)
      this.block.set(part, this.used)
      this.used += part.length
      start += part.length
    }
  }

  /** Copies what has been written. */
  copyTo(target: Uint8Array, offset: number): void {
    let next = offset
    for (const block of this.full) {
      target.set(block, next)
      next += block.length
    }
    target.set(this.block.subarray(0, this.used), next)
  }

  written(): Uint8Array {
    const bytes = new Uint8Array(this.size)
    this.copyTo(bytes, 0)
    return bytes
  }

  private startBlock(): void {
    this.full.push(this.block)
    this.fullBytes += this.block.length
    this.block = new Uint8Array(Math.min(maxBlockBytes, 2 * this.block.length))
    this.used = 0
  }
}

/** Reads what a ByteWriter wrote. */
export class ByteReader {
  at = 0

  constructor(private bytes: Uint8Array) {}

  /** Goes on with other bytes, from their start. */
  open(bytes: Uint8Array): void {
    this.bytes = bytes
    this.at = 0
  }

  byte(): number {
    return this.bytes[this.at++] as number
  }

  varint(): number {
    const first = this.bytes[this.at++] as number
    if (first < 128) return first
    let value = first & 127
    for (let shift = 7; ; shift += 7) {
      const byte = this.bytes[this.at++] as number
      value |= (byte & 127) << shift
      if (byte < 128) return value >>> 0
    }
  }

  take(length: number): Uint8Array {
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }
}
