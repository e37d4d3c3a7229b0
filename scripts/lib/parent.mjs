/**
 * Sends this process SIGTERM when the shell that npm started it with is gone: npm, asked to end by a signal, ends that
 * shell alone, and the server would go on unseen and keep its port.
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
