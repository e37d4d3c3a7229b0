import { describe, expect, it } from 'vitest'
import { agents } from '../../../db/schema/agents'
import { organizations } from '../../../db/schema/organizations'
import { messages, threads } from '../../../db/schema/threads'
import { system } from '../../../server/actor'
import { createModeration } from '../../../server/services/moderation/moderation'
import { addUse } from '../../../server/services/usage/quota'
import { all, chatWorld, sealer, viewer } from '../../support/providers/chat'

const { world } = chatWorld()
const ref = { organizationId: 'o1', agentId: 'a1' }
const meta = { origin: null, ip: null, userAgent: null }
const ask = (prompt: string) => all(world.chat.reply(viewer, ref, { prompt }, meta, new AbortController().signal))

describe('moderation', () => {
  it("rejects a flagged message with the contract's title, and stores nothing", async () => {
    await expect(ask('How do I do something harmful?')).rejects.toMatchObject({
      code: 'flagged',
      details: { title: 'Your prompt was flagged by Moderation API' },
    })
    expect(await world.db.read.$count(threads)).toBe(0)
    expect(await world.db.read.$count(messages)).toBe(0)
    expect(world.provider.requests).toHaveLength(0)
  })

  it('admits other messages', async () => {
    expect((await ask('Which lamp is bright?')).at(-1)?.type).toBe('answer-end')
  })

  it('is off for agents of other providers without a key of OpenAI', async () => {
    await world.db.write((tx) => tx.update(agents).set({ provider: 'deepseek' }))
    expect((await ask('Is paraffin harmful?')).at(-1)?.type).toBe('answer-end')
  })

  it('admits messages that cannot be checked, and logs why', async () => {
    world.provider.moderation = 'down'
    expect((await ask('Is paraffin harmful?')).at(-1)?.type).toBe('answer-end')
    expect(world.logged.join('\n')).toContain('A text could not be checked by the moderation.')
    expect(world.logged.join('\n')).not.toContain('agent-key-1234')
  })

  // contract 8c.2: 'Your system prompt was flagged by Moderation API'
  it("rejects a flagged system prompt with the contract's text, and keeps the stored one", async () => {
    const save = (prompt: string) => world.agents.saveSettings(system, ref, { prompt })
    await save('Be brief.')
    await expect(save('Say harmful things.')).rejects.toMatchObject({
      code: 'flagged',
      message: 'We do not allow potentially harmful content, please change your prompt!',
      details: { title: 'Your system prompt was flagged by Moderation API' },
    })
    expect((await world.agents.get(system, ref)).prompt).toBe('Be brief.')
  })

  it('is asked only for messages that are admitted otherwise', async () => {
    await world.db.write((tx) => addUse(tx, 'o1', 'messages', 500))
    await expect(ask('Say something harmful.')).rejects.toMatchObject({ code: 'quota_exceeded' })
  })
})

describe("a collection's prompt", () => {
  const collection = { organizationId: 'o1', collectionId: 'c-a1' }
  const asked: (string | null)[] = []
  const check = async (prompt = 'Be brief.') => {
    asked.length = 0
    const moderator = {
      isFlagged: async (text: string, apiKey: string | null) => {
        asked.push(apiKey)
        return text.includes('harmful')
      },
    }
    const log = { warn: () => {} }
    const { db, serverKeys } = world
    await createModeration({ db, sealer, moderator, serverKeys, log }).assertCollectionPrompt(collection, prompt)
    return asked
  }
  const setOrganizationKey = (defaultAgentProvider: 'openai' | 'gemini') => {
    const sealed = sealer.seal('organization-key', 'o1:organizations.default_agent_provider_key')
    const values = { defaultAgentProvider, defaultAgentProviderKey: sealed }
    return world.db.write((tx) => tx.update(organizations).set(values))
  }
  const setAgent = (values: Partial<typeof agents.$inferInsert>) =>
    world.db.write((tx) => tx.update(agents).set(values))

  it("is checked with a linked agent's key, else the organization's, else the server's", async () => {
    world.serverKeys.openai = { apiKey: 'server-key' }
    await setOrganizationKey('openai')
    expect(await check()).toEqual(['agent-key-1234'])
    await setAgent({ providerKey: null })
    expect(await check()).toEqual(['organization-key'])
    await setOrganizationKey('gemini')
    expect(await check()).toEqual(['server-key'])
    // OPENAI_BASE_URL without OPENAI_API_KEY.
    world.serverKeys.openai = { apiKey: null }
    expect(await check()).toEqual([null])
    world.serverKeys.openai = null
    expect(await check()).toEqual([])
  })

  it('is checked with another key if one cannot be decrypted or belongs to another provider', async () => {
    await setOrganizationKey('openai')
    await setAgent({ providerKey: sealer.seal('agent-key-1234', 'o2:agents.provider_key') })
    expect(await check()).toEqual(['organization-key'])
    await setAgent({ provider: 'deepseek', providerKey: sealer.seal('deepseek-key', 'o1:agents.provider_key') })
    expect(await check()).toEqual(['organization-key'])
  })

  it('is rejected if it is harmful', async () => {
    await expect(check('Say harmful things.')).rejects.toMatchObject({
      details: { title: 'Your system prompt was flagged by Moderation API' },
    })
  })

  it('is not sent anywhere if it is empty', async () => {
    expect(await check('')).toEqual([])
  })
})
