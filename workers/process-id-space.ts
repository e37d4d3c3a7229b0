import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Identifies the process ids of this machine or container: two containers may have the same host name, and in each the
 * product is process 1. Random where the system does not tell.
 */
export function processIdSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return crypto.randomUUID()
  }
}
