import { providerLabels } from '../../../../contract/values/enumerations'
import { providerError } from '../../../errors'
import { ConnectionFailure, findFailure, HttpFailure } from '../../chat-model/http-failure'
import type { ServiceModel } from './embedding-service'

/** Converts the error of a failed request. Its message is a sentence for the operator, without the key. */
export function embeddingError(error: unknown, { provider, model }: ServiceModel, apiKey: string | null): Error {
  const name = providerLabels[provider]
  const failure = findFailure(error)
  if (failure instanceof ConnectionFailure)
    return providerError('unavailable', connectionSentence(failure, name), new Error(failure.message))
  if (!(failure instanceof HttpFailure))
    return providerError('unavailable', `${name} sent embeddings that cannot be read.`, hidden(error, apiKey))
  const { status } = failure
  const cause = new Error(`status ${status}, code ${failure.code ?? 'none'}`)
  if (status === 401 || status === 403)
    return providerError('refused-key', `${name} rejected the API key for embeddings.`, cause)
  if (status === 404)
    return providerError('unknown-model', `${name} has no embedding model '${model}'. Check EMBEDDING_MODEL.`, cause)
  if (status === 402 || failure.code === 'insufficient_quota')
    return providerError('rate-limited', `The account at ${name} has no credit left for embeddings.`, cause)
  if (status === 429) return providerError('rate-limited', `${name} accepts no more embeddings at the moment.`, cause)
  if (status >= 500)
    return providerError('unavailable', `${name} is not available for embeddings at the moment.`, cause)
  const said = hidden(failure.detail, apiKey).message.replace(/\s+/g, ' ').slice(0, 200)
  return providerError('bad-request', `${name} did not accept a text to embed${said === '' ? '.' : `: ${said}`}`, cause)
}

function connectionSentence({ kind, detail }: ConnectionFailure, name: string): string {
  const sentences = {
    name: `Could not resolve ${detail}, which embeds texts. Check the network and the base URL.`,
    tls: `The connection to ${name} for embeddings is not secure: its certificate or protocol was rejected.`,
    connect: `${name} could not be reached for embeddings.`,
    content: `The configured address of ${name} does not speak its protocol of embeddings. Check the base URL.`,
    size: `${name} sent more than the embeddings of a request can be.`,
  }
  return sentences[kind]
}

function hidden(error: unknown, apiKey: string | null): Error {
  const text = error instanceof Error ? error.message : String(error)
  return new Error((apiKey ? text.replaceAll(apiKey, '[key]') : text).slice(0, 500))
}
