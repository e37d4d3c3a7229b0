import { EventEmitter } from 'node:events'
import type { Signals } from '../engine/ports/signals'

/** Signals within this process. */
export function createLocalSignals(): Signals {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    send: (name, text) => void emitter.emit(name, text),
    on(name, listener) {
      emitter.on(name, listener)
      return () => void emitter.off(name, listener)
    },
    close: async () => void emitter.removeAllListeners(),
  }
}
