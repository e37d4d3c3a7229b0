import { expect } from 'vitest'
import { keychainViewSchema } from '../../../contract/views/organizations/keychain'
import { type ApiResponse, type ApiWorld, jsonInit } from './api-world'

/** Saves the settings of the key of the world's agent. */
export async function saveKey(world: ApiWorld, body: object) {
  const path = `/v1/${world.own.organization}/agents/${world.own.agent}/key`
  const response = await world.sendJson('admin', 'PUT', path, body)
  expect(response.status, response.text).toBe(200)
  const view = keychainViewSchema.parse((response.body as { created: unknown }).created)
  return { publicKey: view.public_key, privateKey: view.private_key, view }
}

/** A call with a key, as pages and servers of others make it. */
export function callWithKey(
  world: ApiWorld,
  key: string,
  ...[method, path, headers, body]: [string, string, Record<string, string>, object?]
): Promise<ApiResponse> {
  const init = body ? jsonInit(JSON.stringify(body)) : {}
  const input = 'headers' in init ? (init.headers as Record<string, string>) : {}
  return world.send('guest', method, path, {
    ...init,
    headers: { ...input, authorization: `Bearer ${key}`, ...headers },
  })
}
