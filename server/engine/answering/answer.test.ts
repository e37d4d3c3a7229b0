import { describe, expect, it } from 'vitest'
import type { FragmentView } from '../../../contract/views/fragment'
import { providerError } from '../../errors'
import type { ChatChunk, ChatModel, ChatRequest } from '../ports'
import { AnswerFailed, type AnswerInput, type AnswerStep, answer, type Retrieve, retrievalQuery } from './answer'

const fragment: FragmentView = {
  id: 'f1',
  score: 0.8,
  url: 'https://lamps.example/care',
  link: 'https://lamps.example/care#brass',
  title: 'Care',
  headings: [],
  content: 'Brass is wiped with a dry cloth.',
}

const input: AnswerInput = {
  question: 'How do I clean a lamp that is made of brass?',
  history: [],
  system: null,
  model: 'gpt-4.1-mini',
  apiKey: 'key',
  fragmentLimit: 20,
  similarity: 0.3,
  historyLimit: 20,
  maxOutputTokens: 512,
}

function modelOf(produce: (request: ChatRequest, signal: AbortSignal) => AsyncIterable<ChatChunk>): ChatModel {
  return { stream: produce }
}

const workingModel = modelOf(async function* () {
  yield { kind: 'text', text: 'Wipe it ' }
  yield { kind: 'text', text: 'dry [1].' }
  yield { kind: 'end', tokensInput: 90, tokensOutput: 5, stopReason: 'complete', responseId: 'r1' }
})

const retrieve: Retrieve = async () => [fragment]

async function collect(steps: AsyncIterable<AnswerStep>) {
  const all: AnswerStep[] = []
  for await (const step of steps) all.push(step)
  return all
}

describe('answer', () => {
  it('yields the sources, then the text as it arrives, then the end with token counts', async () => {
    const steps = await collect(answer({ retrieve, chatModel: workingModel }, input, new AbortController().signal))
    expect(steps).toEqual([
      { kind: 'sources', fragments: [fragment] },
      { kind: 'text', text: 'Wipe it ' },
      { kind: 'text', text: 'dry [1].' },
      {
        kind: 'end',
        reason: 'complete',
        text: 'Wipe it dry [1].',
        tokensInput: 90,
        tokensOutput: 5,
        tookMs: expect.any(Number),
      },
    ])
  })

  it('passes the settings of the agent to retrieval and model', async () => {
    const asked: unknown[] = []
    const requests: ChatRequest[] = []
    const recordingRetrieve: Retrieve = async (...question) => {
      asked.push(question)
      return [fragment]
    }
    const chatModel = modelOf((request, signal) => {
      requests.push(request)
      return workingModel.stream(request, signal)
    })
    await collect(
      answer(
        { retrieve: recordingRetrieve, chatModel },
        { ...input, fragmentLimit: 7, similarity: 0.4 },
        new AbortController().signal,
      ),
    )
    expect(asked).toEqual([[input.question, { limit: 7, threshold: 0.4 }]])
    expect(requests[0]).toMatchObject({ model: 'gpt-4.1-mini', apiKey: 'key', maxOutputTokens: 512 })
  })

  it('does not call the model if nothing is found', async () => {
    const chatModel = modelOf(() => {
      throw new Error('the model was called')
    })
    const steps = answer({ retrieve: async () => [], chatModel }, input, new AbortController().signal)
    await expect(collect(steps)).rejects.toMatchObject({
      code: 'not_found',
      message: 'Did you add your sources yet? Make sure to add them first!',
      details: { title: 'No data fragments found on Chat API' },
    })
  })

  it('keeps the text that arrived before the model failed', async () => {
    const chatModel = modelOf(async function* () {
      yield { kind: 'text', text: 'Wipe it' }
      throw providerError('interrupted', 'The answer was cut off.')
    })
    const failed = await collect(answer({ retrieve, chatModel }, input, new AbortController().signal)).catch(
      (error) => error,
    )
    expect(failed).toBeInstanceOf(AnswerFailed)
    expect(failed).toMatchObject({ failure: 'interrupted', text: 'Wipe it', message: 'The answer was cut off.' })
  })

  it('does not report an internal error as a failure of the provider', async () => {
    const chatModel = modelOf(() => {
      throw new TypeError('ours')
    })
    await expect(collect(answer({ retrieve, chatModel }, input, new AbortController().signal))).rejects.toThrow(
      TypeError,
    )
  })

  it('reports that the token limit was reached', async () => {
    const chatModel = modelOf(async function* () {
      yield { kind: 'text', text: 'Wipe' }
      yield { kind: 'end', tokensInput: null, tokensOutput: null, stopReason: 'length', responseId: null }
    })
    const steps = await collect(answer({ retrieve, chatModel }, input, new AbortController().signal))
    expect(steps.at(-1)).toMatchObject({ kind: 'end', reason: 'length', text: 'Wipe' })
  })

  it('ends with the partial text when it is stopped', async () => {
    const stop = new AbortController()
    const chatModel = modelOf(async function* (_, signal) {
      yield { kind: 'text', text: 'Wipe' }
      while (!signal.aborted) yield { kind: 'text', text: ' on' }
    })
    const steps: AnswerStep[] = []
    for await (const step of answer({ retrieve, chatModel }, input, stop.signal)) {
      steps.push(step)
      if (steps.length === 3) stop.abort()
    }
    expect(steps.at(-1)).toMatchObject({ kind: 'end', reason: 'stopped', text: 'Wipe on' })
  })

  it('sends the conversation without failed answers', async () => {
    const requests: ChatRequest[] = []
    const chatModel = modelOf((request, signal) => {
      requests.push(request)
      return workingModel.stream(request, signal)
    })
    const history: AnswerInput['history'] = [
      { role: 'user', content: 'What is brass?' },
      { role: 'agent', content: 'A metal [1].' },
      { role: 'user', content: 'Is it heavy?' },
      { role: 'error', content: '' },
    ]
    await collect(answer({ retrieve, chatModel }, { ...input, history }, new AbortController().signal))
    expect(requests[0]?.messages.slice(1, -1)).toEqual([
      { role: 'user', content: 'What is brass?' },
      { role: 'assistant', content: 'A metal [1].' },
    ])
  })
})

describe('retrievalQuery', () => {
  const history = [
    { role: 'user' as const, content: 'What is the warranty of floor lamps?' },
    { role: 'assistant' as const, content: 'Two years [1].' },
  ]

  it('returns a long question unchanged', () => {
    expect(retrievalQuery('How do I clean a lamp that is made of brass?', history)).toBe(
      'How do I clean a lamp that is made of brass?',
    )
  })

  it('prepends the preceding question to a short one', () => {
    expect(retrievalQuery('And abroad?', history)).toBe('What is the warranty of floor lamps?\nAnd abroad?')
  })

  it('prepends questions until there are enough words, within five messages', () => {
    const longer = [
      ...history,
      { role: 'user' as const, content: 'And abroad?' },
      { role: 'assistant' as const, content: 'One year.' },
    ]
    expect(retrievalQuery('In Spain?', longer)).toBe('What is the warranty of floor lamps?\nAnd abroad?\nIn Spain?')
    const later = [
      ...longer,
      { role: 'user' as const, content: 'France?' },
      { role: 'assistant' as const, content: 'Too.' },
    ]
    expect(retrievalQuery('Italy?', later)).toBe('And abroad?\nFrance?\nItaly?')
  })

  it('truncates the start of a long preceding question, not the short one', () => {
    const long = { role: 'user' as const, content: `💡${'What about lamps? '.repeat(120)}` }
    const query = retrievalQuery('And abroad?', [long])
    expect(query.length).toBe(2_000)
    expect(query).toMatch(/What about lamps\? \nAnd abroad\?$/)
    const justOver = { role: 'user' as const, content: `💡${'x'.repeat(1_987)}` }
    expect(retrievalQuery('And abroad?', [justOver])).toBe(`${'x'.repeat(1_987)}\nAnd abroad?`)
  })

  it('counts words in a language without spaces', () => {
    expect(retrievalQuery('黄铜台灯应该怎样清洁和保养才好', history)).toBe('黄铜台灯应该怎样清洁和保养才好')
  })
})
