import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, vi } from 'vitest'
import { requestTokens } from './token-request'

// contract 9.19: Token request timeout 10 s
it('gives up on a provider that does not answer within 10 s', async () => {
  const patience = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal)
  const provider = createServer(() => patience.abort(new DOMException('The time is over.', 'TimeoutError')))
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  try {
    const request = requestTokens({
      endpoint: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/token`,
      clientId: 'sitelore',
      clientSecret: null,
      redirectUri: 'http://localhost/auth/callback',
      code: 'code',
      codeVerifier: 'verifier',
    })
    await expect(request).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(timeout).toHaveBeenCalledWith(10_000)
  } finally {
    provider.closeAllConnections()
    provider.close()
  }
})
