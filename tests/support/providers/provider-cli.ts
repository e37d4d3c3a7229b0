import { type ProviderRequest, startProvider } from './provider'

const port = Number(process.argv[2] ?? 4010)

/** A model provider for trying chat by hand: its answers quote the fragments that it is given. */
const provider = await startProvider({ port, otherwise: { kind: 'answer', chunkDelayMs: 25 }, onRequest: print }).catch(
  (error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'EADDRINUSE' ? `port ${port} is in use; name another one as the argument` : error.message
    process.stderr.write(`The provider could not start: ${reason}\n`)
    process.exit(1)
  },
)

process.stdout.write(`A model provider for trying chat listens at ${provider.baseUrl}.
Start Sitelore in another terminal with this variable, or put it into .env:

  OPENAI_BASE_URL=${provider.baseUrl}

Then choose OpenAI and any model in an agent's settings. It speaks the protocols of the other providers, too:
DEEPSEEK_BASE_URL takes the same address, ANTHROPIC_BASE_URL and GEMINI_BASE_URL take ${provider.baseUrls.anthropic}.
Ctrl-C ends this server.
`)

for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => void provider.close().then(() => process.exit(0)))

function print({ model, messages }: ProviderRequest) {
  const question = messages.at(-1)?.content.split('\nQuestion:\n').at(-1)
  process.stdout.write(`${new Date().toISOString()} ${model}: ${question?.slice(0, 100)}\n`)
}
