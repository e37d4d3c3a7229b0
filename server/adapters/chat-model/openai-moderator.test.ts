import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Provider, startProvider } from '../../../tests/support/providers/provider'
import type { Moderator } from '../../engine/ports/chat-model'
import { createOpenAiModerator } from './openai-moderator'

let provider: Provider
let moderator: Moderator

beforeEach(async () => {
  provider = await startProvider()
  moderator = createOpenAiModerator({ baseUrl: provider.baseUrl })
})
afterEach(() => provider.close())

const isFlagged = (key: string | null) => moderator.isFlagged('something harmful', key, new AbortController().signal)

describe('createOpenAiModerator', () => {
  it('still checks with other keys after a key that has no access to the model', async () => {
    provider.keyWithoutModeration = 'restricted'
    expect(await isFlagged('first')).toBe(true)
    await expect(isFlagged('restricted')).rejects.toThrow()
    expect(await isFlagged('first')).toBe(true)
  })

  it('asks a server that needs no key without one', async () => {
    expect(await isFlagged(null)).toBe(true)
    expect(await isFlagged('first')).toBe(true)
    expect(provider.moderationKeys).toEqual([undefined, 'Bearer first'])
  })

  it('asks a server without moderation once', async () => {
    provider.moderation = 'missing'
    await expect(isFlagged('first')).rejects.toThrow()
    provider.moderation = 'up'
    expect(await isFlagged('first')).toBe(false)
  })

  it('asks again after an outage', async () => {
    provider.moderation = 'down'
    await expect(isFlagged('first')).rejects.toThrow()
    provider.moderation = 'up'
    expect(await isFlagged('first')).toBe(true)
  })
})
