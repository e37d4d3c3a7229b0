import { spawnSync } from 'node:child_process'
import { findProgram } from './requirements.mjs'

/**
 * How a program is run so that `trace` gets every connection and message of it and of what it starts. The program keeps
 * its process id.
 * @param {string} trace a file
 */
export function straceArguments(trace) {
  return ['-D', '-f', '--seccomp-bpf', '-s', '256', '-e', 'trace=connect,sendto,sendmsg,sendmmsg', '-o', trace]
}

/**
 * Why no process can be traced here, as a sentence; null where it can.
 * @returns {string | null}
 */
export function whyUntraced() {
  const strace = findProgram('strace')
  if (!strace) return 'strace was not found (Debian: apt-get install strace).'
  const { status, stderr } = spawnSync(strace, [...straceArguments('/dev/null'), 'true'], { encoding: 'utf8' })
  return status === 0 && stderr === '' ? null : `strace does not work here: ${stderr.trim().split('\n')[0]}`
}
