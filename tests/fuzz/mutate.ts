import type { ZipEntry } from '../support/files/zip'
import { zipOf } from '../support/files/zip'

/** A number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number

export interface Mutated {
  bytes: Buffer
  /** The names of the changes, in order. */
  changes: string[]
}

/** Limits of the size of a mutation, and of repeated data. */
const maxBytes = 8 * 1024 * 1024
const maxCopiedBytes = 256 * 1024

type Change = (bytes: Buffer, random: Random, otherBuffer: Buffer) => Buffer

/** Changes that keep all offsets. */
const inPlace: Record<string, Change> = {
  flip: (bytes, random) => changed(bytes, 1 + below(40, random), random, (byte) => byte ^ (1 << below(8, random))),
  overwrite: (bytes, random) =>
    changed(bytes, 1 + below(20, random), random, () => [0, 1, 0x7f, 0x80, 0xff][below(5, random)] ?? 0),
  copy(bytes, random, otherBuffer) {
    const [from, to] = randomRange(otherBuffer, random)
    const copied = Buffer.from(bytes)
    otherBuffer.copy(copied, below(bytes.length, random), from, to)
    return copied
  },
  headers: changeHeaders,
}

const moving: Record<string, Change> = {
  truncate: (bytes, random) => bytes.subarray(0, below(bytes.length, random)),
  behead: (bytes, random) => bytes.subarray(below(bytes.length, random)),
  remove(bytes, random) {
    const [from, to] = randomRange(bytes, random)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
  },
  repeat(bytes, random) {
    const [from, to] = randomRange(bytes, random)
    const maxCopies = Math.floor(maxCopiedBytes / Math.max(1, to - from))
    const copies = Array<Buffer>(1 + below(Math.min(2_000, maxCopies), random)).fill(bytes.subarray(from, to))
    return Buffer.concat([bytes.subarray(0, to), ...copies, bytes.subarray(to)])
  },
  insert(bytes, random) {
    const position = below(bytes.length + 1, random)
    const noise = Buffer.from(Array.from({ length: 1 + below(300, random) }, () => below(256, random)))
    return Buffer.concat([bytes.subarray(0, position), noise, bytes.subarray(position)])
  },
  swap(bytes, random) {
    const [from, middle, to] = [0, 0, 0].map(() => below(bytes.length + 1, random)).sort((a, b) => a - b)
    const parts = [bytes.subarray(0, from), bytes.subarray(middle, to), bytes.subarray(from, middle)]
    return Buffer.concat([...parts, bytes.subarray(to)])
  },
  splice: (bytes, random, buffer) =>
    Buffer.concat([bytes.subarray(0, below(bytes.length, random)), buffer.subarray(below(buffer.length, random))]),
  numbers: changeNumbers,
}

/**
 * Makes one to three changes; half of the mutations keep all offsets. Half of the mutations of an archive change an
 * entry, and pack the archive correctly.
 */
export function mutate(source: Buffer, otherBuffer: Buffer, entries: readonly ZipEntry[], random: Random): Mutated {
  if (entries.length === 0 || random() < 0.5) return change(source, random() < 0.5 ? source : otherBuffer, random)
  const position = below(entries.length, random)
  const inner = change(Buffer.from(entries[position]?.content as Uint8Array), otherBuffer, random)
  const rebuilt = entries.map((entry, index) => (index === position ? { ...entry, content: inner.bytes } : entry))
  return { bytes: zipOf(rebuilt), changes: inner.changes.map((name) => `${name} in ${entries[position]?.name}`) }
}

function change(source: Buffer, otherBuffer: Buffer, random: Random): Mutated {
  const changes = Object.entries(random() < 0.5 ? inPlace : { ...inPlace, ...moving })
  let bytes = source
  const done: string[] = []
  for (let remaining = 1 + below(3, random); remaining > 0; remaining--) {
    const [name, apply] = changes[below(changes.length, random)] ?? []
    if (!name || !apply) continue
    bytes = apply(bytes, random, otherBuffer).subarray(0, maxBytes)
    done.push(name)
  }
  return { bytes, changes: done }
}

/** Changes decimal numbers, such as lengths and references in PDF, XML and HTML. */
function changeNumbers(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString('latin1')
  const values = [0, -1, 1, 2, 65_535, 1_048_576, 2_147_483_647, 4_294_967_296, 1e15, 0.5]
  const share = 3 / Math.max(3, text.match(/\d+/g)?.length ?? 0)
  const otherText = text.replace(/\d+/g, (digits) => {
    if (random() >= share) return digits
    return random() < 0.5 ? String(values[below(values.length, random)]) : String(Number(digits) + 1)
  })
  return Buffer.from(otherText, 'latin1')
}

/** Headers of archives and OLE files with the sizes and offsets of their parts. */
const headers: [signature: Buffer, length: number][] = [
  [Buffer.from('PK\x01\x02', 'latin1'), 46],
  [Buffer.from('PK\x03\x04', 'latin1'), 30],
  [Buffer.from('PK\x05\x06', 'latin1'), 22],
  [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 512],
  // The directory of an OLE file.
  [Buffer.from('Root Entry', 'utf16le'), 512],
]

function changeHeaders(bytes: Buffer, random: Random): Buffer {
  const otherBuffer = Buffer.from(bytes)
  const targets = headers.flatMap(([signature, length]) =>
    offsetsOf(signature, bytes)
      .filter((position) => position + length <= bytes.length)
      .map((position) => ({ at: position, start: signature.length, length })),
  )
  const target = targets[below(targets.length, random)]
  if (!target) return changed(bytes, 4, random, () => below(256, random))
  const values = [0, 1, 0xff, 0xffff, 0x7fffffff, 0xffffffff, bytes.length, 0xfffffffe]
  for (let remaining = 1 + below(3, random); remaining > 0; remaining--) {
    const position = target.at + target.start + below(target.length - target.start - 3, random)
    const value = values[below(values.length, random)] ?? 0
    if (random() < 0.5) otherBuffer.writeUInt16LE(value & 0xffff, position)
    else otherBuffer.writeUInt32LE(value >>> 0, position)
  }
  return otherBuffer
}

function offsetsOf(signature: Buffer, bytes: Buffer): number[] {
  const targets: number[] = []
  for (
    let index = bytes.indexOf(signature);
    index >= 0 && targets.length < 10_000;
    index = bytes.indexOf(signature, index + 1)
  ) {
    targets.push(index)
  }
  return targets
}

function changed(bytes: Buffer, times: number, random: Random, to: (byte: number) => number): Buffer {
  const otherBuffer = Buffer.from(bytes)
  for (let remaining = times; remaining > 0 && otherBuffer.length > 0; remaining--) {
    const position = below(otherBuffer.length, random)
    otherBuffer[position] = to(otherBuffer[position] ?? 0)
  }
  return otherBuffer
}

/** Returns a range whose length is distributed logarithmically. */
function randomRange(bytes: Buffer, random: Random): [from: number, to: number] {
  const from = below(bytes.length, random)
  const length = Math.floor(2 ** (random() * Math.log2(Math.max(2, bytes.length - from))))
  return [from, Math.min(bytes.length, from + length)]
}

export function below(count: number, random: Random): number {
  return Math.floor(random() * count)
}
