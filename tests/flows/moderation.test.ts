import { describe, expect, it } from 'vitest'
import { agents } from '../../db/schema/agents'
import { messages, threads } from '../../db/schema/threads'
import { system } from '../../server/actor'
import { addUse } from '../../server/services/usage/quota'
import { all, chatWorld, viewer } from '../support/chat'

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
