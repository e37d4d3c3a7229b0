const initialBytes = 1_024

/** Bytes that grow as they are written. */
export class ByteWriter {
  private bytes = new Uint8Array(initialBytes)
  size = 0

  byte(value: number): void {
    if (this.size === this.bytes.length) this.grow(1)
    this.bytes[this.size++] = value
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
    if (this.size + bytes.length > this.bytes.length) this.grow(bytes.length)
    this.bytes.set(bytes, this.size)
    this.size += bytes.length
  }

  /** What has been written, until the next write. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.size)
  }

  private grow(more: number): void {
    const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.size + more))
    grown.set(this.bytes)
    this.bytes = grown
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
