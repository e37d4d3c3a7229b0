import { reasonText } from '../../../contract/reasons'
import { crawlLimits } from '../../engine/limits'
import type { FetchOutcome, FetchRefusal } from '../../engine/ports/fetcher'
import { HostRefused } from './dispatchers'

/** Reasons and messages for the codes of connection errors. */
const knownErrors: { code: RegExp; reason: FetchRefusal; message?: string }[] = [
  { code: /^(ENOTFOUND|EAI_AGAIN|ENODATA)$/, reason: 'unresolved' },
  { code: /TIMEOUT|ETIMEDOUT/, reason: 'timeout' },
  {
    code: /^(CERT_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/,
    reason: 'connection-failed',
    message: 'The certificate of the server is not valid.',
  },
  {
    code: /^UND_ERR_HEADERS_OVERFLOW$/,
    reason: 'too-large',
    message: `The server sends more headers than Sitelore accepts (${crawlLimits.headerBytes / 1024} KB).`,
  },
  {
    code: /^HPE_/,
    reason: 'connection-failed',
    message: 'The server did not respond with HTTP. Check the address, then refresh.',
  },
  {
    code: /^(UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|ECONNRESET|EPIPE|UND_ERR_ABORTED)$/,
    reason: 'connection-failed',
    message: 'The server closed the connection before its response was complete. Refresh to try again.',
  },
]

/** The refusal for a connection error. Its message has nothing from the error itself. */
export function refusalOfError(error: unknown): FetchOutcome {
  if (error instanceof HostRefused) return refusal(error.reason, reasonText(error.reason, { host: error.host }))
  const { code = '' } = error as NodeJS.ErrnoException
  const known = knownErrors.find((entry) => entry.code.test(String(code)))
  return known ? refusal(known.reason, known.message) : refusal('connection-failed')
}

export function refusal(reason: FetchRefusal, message?: string): FetchOutcome {
  return { kind: 'refused', reason, message: message ?? messageOf(reason) }
}

function messageOf(reason: FetchRefusal): string {
  // Only the caller knows why it does not follow the redirect.
  return reason === 'not-allowed' ? 'The address leads to one that is not allowed.' : reasonText(reason)
}
