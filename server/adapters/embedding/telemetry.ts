/**
 * Disables the telemetry of the embedding runtime, which otherwise writes files to the temporary folder when it is loaded and
 * contacts its vendor some seconds later. Call it in the main thread before the runtime is loaded in any thread or child
 * process: native code reads the environment of the process, of which threads have only a copy.
 */
export function disableTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1'
}
