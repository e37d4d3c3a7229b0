// A thread that requests an address repeatedly, so that the work of the main thread does not count as waiting.
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** @type {number[]} */
const times = []
parentPort?.once('message', () => {
  parentPort?.postMessage(times)
  process.exit()
})
for (;;) {
  const started = performance.now()
  await (await fetch(workerData)).text()
  times.push(performance.now() - started)
  await sleep(25)
}
