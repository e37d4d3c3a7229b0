import type OpenAI from 'openai'
import type { ProtocolRequest } from './protocol'

/** Creates a client of OpenAI's SDK that retries nothing and reads nothing but its options. */
export async function createOpenAiClient({
  apiKey,
  baseUrl,
  fetch,
}: Pick<ProtocolRequest, 'apiKey' | 'baseUrl' | 'fetch'>): Promise<OpenAI> {
  // Loaded by the first request: the SDK takes memory that a server without this provider does not need.
  const { default: OpenAI } = await import('openai')
  return new OpenAI({
    apiKey,
    baseURL: baseUrl,
    fetch,
    maxRetries: 0,
    // Keeps the SDK from reading the environment and from writing to the console.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: 'off',
  })
}
