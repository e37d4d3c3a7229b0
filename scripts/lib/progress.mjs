// A progress line on stderr, because stdout has the command's output.

const FRAMES = ['|', '/', '-', '\\']
const QUIET_INTERVAL = 10_000

/**
 * Shows progress: a spinner on a terminal, else a line every ten seconds.
 * @param {string} label of the step
 * @param {() => string} [detail] text after the label, updated with each frame
 * @returns {(ending: string) => void} ends the line with a word such as "done"
 */
export function startProgress(label, detail = () => '') {
  const started = Date.now()
  const live = process.stderr.isTTY === true
  let turn = 0
  const line = () => [`${label} ...`, detail(), seconds(Date.now() - started)].filter(Boolean).join('  ')
  const show = () =>
    process.stderr.write(live ? `\r\x1b[K${FRAMES[turn++ % FRAMES.length]} ${line()}` : `  ${line()}\n`)

  if (live) show()
  else process.stderr.write(`${label} ...\n`)
  const timer = setInterval(show, live ? 200 : QUIET_INTERVAL)

  return (ending) => {
    clearInterval(timer)
    process.stderr.write(`${live ? '\r\x1b[K' : ''}${label}: ${ending} (${seconds(Date.now() - started)})\n`)
  }
}

/** @param {number} milliseconds */
export function seconds(milliseconds) {
  const whole = Math.round(milliseconds / 1000)
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
