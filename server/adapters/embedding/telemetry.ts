/**
 * Keeps the embedding runtime from reporting to its vendor: without this variable it writes files to the temporary folder
 * when it is loaded, and looks up and contacts a collector some seconds later. Call it in the main thread before the
 * runtime is loaded in a thread or a child process: native code reads the environment of the process, and a thread has
 * only a copy of it.
 */
export function disableTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1'
}
