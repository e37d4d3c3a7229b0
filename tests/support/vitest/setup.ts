import { Socket } from 'node:net'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { dropIndexes } from '../database/cluster'

// Two guards for every test: nothing may be printed with console.error unnoticed, and nothing leaves this machine.
// A test that expects an error line spies on console.error itself.

let printed: string[] = []

function record(...parts: unknown[]) {
  printed.push(parts.map((part) => (part instanceof Error ? (part.stack ?? part.message) : String(part))).join(' '))
}

console.error = record

beforeEach(() => {
  printed = []
})

afterEach(() => {
  const lines = printed
  printed = []
  expect(lines, 'console.error was called').toEqual([])
})

afterAll(dropIndexes)

type Lookup = (host: string, options: object, done: (error: Error | null, ...found: unknown[]) => void) => void
type Target = { path?: string; host?: string; lookup?: Lookup }

/** Of this process, which runs many files: each of them would put another guard around the one before. */
const guard = Symbol.for('sitelore.connect')
const prototype = Socket.prototype as Socket & { [guard]?: typeof Socket.prototype.connect }
prototype[guard] ??= prototype.connect
const connect = prototype[guard]

Socket.prototype.connect = function guarded(this: Socket, ...parts: unknown[]) {
  // net.connect hands over its arguments as one prepared array; others call with (options) or (port, host).
  const [first, second] = Array.isArray(parts[0]) ? (parts[0] as unknown[]) : parts
  if (typeof first === 'object' && first !== null) guardLookup(first as Target)
  const host = hostOf(first, second)
  if (host !== null && !isLocal(host)) {
    process.nextTick(() => this.destroy(new Error(`Tests reach this machine only, not ${host}`)))
    return this
  }
  return (connect as (...all: unknown[]) => Socket).apply(this, parts)
} as typeof Socket.prototype.connect

/** The host to check now, or null where there is none or its addresses are checked once they are known. */
function hostOf(first: unknown, second: unknown): string | null {
  if (typeof first === 'object' && first !== null) {
    const { path, host, lookup } = first as Target
    return path || lookup ? null : (host ?? 'localhost')
  }
  const isPipe = typeof first === 'string' && !/^\d+$/.test(first)
  if (isPipe) return null
  return typeof second === 'string' ? second : 'localhost'
}

/** A resolver of the caller's own may name any host, as long as its answers are on this machine. */
function guardLookup(target: Target) {
  const { host, lookup } = target
  if (!lookup || !host) return
  // An address is never looked up.
  if (/^[\d.]+$|:/.test(host)) {
    if (!isLocal(host)) target.lookup = undefined
    return
  }
  target.lookup = (name, options, done) =>
    lookup(name, options, (error, ...found) => {
      const outside = error ? undefined : addressesIn(found[0]).find((address) => !isLocal(address))
      if (outside) done(new Error(`Tests reach this machine only, not ${outside}`))
      else done(error, ...found)
    })
}

function addressesIn(found: unknown): string[] {
  return Array.isArray(found) ? found.map((item: { address: string }) => item.address) : [String(found)]
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^127\./.test(host) || host === '::1'
}
