import { beforeEach, describe, expect, it } from 'vitest'
import { chatWorld } from '../../support/providers/chat'

const { world, change, answered, stored } = chatWorld()

const question = 'How are brass lamps cleaned, and with what?'
const german = { frequent: ['de'], main: 'de', unknownToModel: 'de' }
const queries = () => world.searched.map(({ query }) => query)

describe("a question in another language than the collection's", () => {
  beforeEach(() => {
    world.collectionLanguages = german
  })

  it('is also searched as its own model writes it in the main language of the collection', async () => {
    world.provider.next({ kind: 'answer', text: '"Messinglampen reinigen"' }, { kind: 'answer', text: 'Wipe it [1].' })
    const { message } = await answered()
    expect(queries()).toEqual([question, 'Messinglampen reinigen'])
    const [translation, answer] = world.provider.requests
    expect(translation?.body.max_completion_tokens ?? translation?.body.max_tokens).toBe(64)
    expect(JSON.stringify(translation?.body)).toContain('one query in German')
    expect(message).toMatchObject({ query: question, translated_query: 'Messinglampen reinigen', verdict: 'answered' })
    const [, row] = await stored()
    expect(row).toMatchObject({ translatedQuery: 'Messinglampen reinigen' })
    // The tokens of both calls, as the provider counts words.
    expect(message.tokens_output).toBeGreaterThan(3)
    expect(answer).toBeDefined()
  })

  it('names what a follow-up refers to, and asks once for the same', async () => {
    world.provider.next({ kind: 'answer', text: 'Messinglampen reinigen' }, { kind: 'answer', text: 'Wipe it [1].' })
    const { threadId } = await answered()
    world.provider.next({ kind: 'answer', text: 'Stahllampen reinigen' }, { kind: 'answer', text: 'The same [1].' })
    const { message } = await answered({ prompt: 'And how about the ones that are made of steel?', threadId })
    expect(message.translated_query).toBe('Stahllampen reinigen')
    expect(JSON.stringify(world.provider.requests[2]?.body)).toContain(`Visitor: ${question}`)
    world.provider.next({ kind: 'answer', text: 'Wipe it [1].' })
    expect((await answered()).message.translated_query).toBe('Messinglampen reinigen')
    expect(world.provider.requests).toHaveLength(5)
  })

  it.each([
    ['an error', { kind: 'status' as const, status: 400, error: { message: 'No.' } }],
    ['an empty reply', { kind: 'answer' as const, text: ' ' }],
    ['an error within the reply', { kind: 'error-event' as const, words: 1, message: 'Overloaded.' }],
  ])('is searched as it is after %s', async (_, step) => {
    world.provider.next(step, { kind: 'answer', text: 'Wipe it [1].' })
    const { message } = await answered()
    expect([queries(), message.translated_query, message.verdict]).toEqual([[question], null, 'answered'])
  })

  it('waits three seconds at most', { timeout: 20_000 }, async () => {
    world.provider.next({ kind: 'hang' }, { kind: 'answer', text: 'Wipe it [1].' })
    const { message } = await answered()
    expect(message.translated_query).toBeNull()
    expect(message.time_search).toBeGreaterThanOrEqual(2_900)
    expect(message.time_search).toBeLessThan(10_000)
  })
})

describe('a question is searched as it is', () => {
  it.each([
    ['in a language of the collection', { collectionLanguages: { ...german, frequent: ['de', 'en'] } }],
    ['where the languages are unknown', { collectionLanguages: { frequent: [], main: null, unknownToModel: null } }],
    ['with a multilingual model', { collectionLanguages: german, isMultilingual: true }],
  ])('%s', async (_, state) => {
    Object.assign(world, state)
    world.provider.next({ kind: 'answer', text: 'Wipe it [1].' })
    const { message } = await answered()
    expect([queries(), message.translated_query]).toEqual([[question], null])
  })

  it('where the agent does not translate, for small talk, and for names', async () => {
    world.collectionLanguages = german
    await change({ translatesQuestions: false })
    world.provider.next({ kind: 'answer', text: 'Wipe it [1].' })
    await answered()
    await change({ translatesQuestions: true })
    await answered({ prompt: 'Thanks!' })
    world.provider.next({ kind: 'answer', text: 'It is [1].' })
    await answered({ prompt: 'Storm 40' })
    expect(queries()).toEqual([question, 'Storm 40'])
  })
})
