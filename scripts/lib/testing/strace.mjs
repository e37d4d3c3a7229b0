import { spawnSync } from 'node:child_process'
import { findProgram } from '../requirements.mjs'

/**
 * The command that runs a program under strace, which writes its connections and messages, and those of its descendants,
 * to `trace`. The program keeps its process id.
 * @param {string} trace a file
 */
export function straceArguments(trace) {
  return ['-D', '-f', '--seccomp-bpf', '-s', '256', '-e', 'trace=connect,sendto,sendmsg,sendmmsg', '-o', trace]
}

/**
 * Why processes cannot be traced on this machine, as a sentence; null if they can.
 * @returns {string | null}
 */
export function whyUntraced() {
  const strace = findProgram('strace')
  if (!strace) return 'strace was not found (Debian: apt-get install strace).'
  const { status, stderr } = spawnSync(strace, [...straceArguments('/dev/null'), 'true'], { encoding: 'utf8' })
  return status === 0 && stderr === '' ? null : `strace does not work here: ${stderr.trim().split('\n')[0]}`
}
