/**
 * Sends this process SIGTERM when the shell in which npm started it is gone. npm forwards a signal to that shell only, so
 * that the server would otherwise keep running and hold its port.
 */
export function endWithParent() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  watch.unref()
}
