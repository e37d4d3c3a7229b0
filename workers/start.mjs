// Lets a worker thread load TypeScript in development and in tests: Node 20 ignores --import for a thread's entry.
import { workerData } from 'node:worker_threads'
import { register } from 'tsx/esm/api'

register()
await import(workerData.entry)
