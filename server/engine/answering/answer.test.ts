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

const friendly = modelOf(async function* () {
  yield { kind: 'text', text: 'Wipe it ' }
  yield { kind: 'text', text: 'dry [1].' }
  yield { kind: 'end', tokensInput: 90, tokensOutput: 5, truncated: false }
})

const finds: Retrieve = async () => [fragment]

async function collect(steps: AsyncIterable<AnswerStep>) {
  const all: AnswerStep[] = []
  for await (const step of steps) all.push(step)
  return all
}

describe('answer', () => {
  it('gives the sources first, then the text as it comes, then the end with its figures', async () => {
    const steps = await collect(answer({ retrieve: finds, chatModel: friendly }, input, new AbortController().signal))
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

  it('asks retrieval and model for what the agent is set to', async () => {
    const asked: unknown[] = []
    const requests: ChatRequest[] = []
    const retrieve: Retrieve = async (...question) => {
      asked.push(question)
      return [fragment]
    }
    const chatModel = modelOf((request, signal) => {
      requests.push(request)
      return friendly.stream(request, signal)
    })
    await collect(
      answer({ retrieve, chatModel }, { ...input, fragmentLimit: 7, similarity: 0.4 }, new AbortController().signal),
    )
    expect(asked).toEqual([[input.question, { limit: 7, threshold: 0.4 }]])
    expect(requests[0]).toMatchObject({ model: 'gpt-4.1-mini', apiKey: 'key', maxOutputTokens: 512 })
  })

  it('does not ask the model when nothing is found', async () => {
    const chatModel = modelOf(() => {
      throw new Error('asked all the same')
    })
    const steps = answer({ retrieve: async () => [], chatModel }, input, new AbortController().signal)
    await expect(collect(steps)).rejects.toMatchObject({
      code: 'not_found',
      message: 'Did you add your sources yet? Make sure to add them first!',
      details: { title: 'No data fragments found on Chat API' },
    })
  })

  it('keeps what had come when the model fails', async () => {
    const chatModel = modelOf(async function* () {
      yield { kind: 'text', text: 'Wipe it' }
      throw providerError('interrupted', 'The answer was cut off.')
    })
    const failed = await collect(answer({ retrieve: finds, chatModel }, input, new AbortController().signal)).catch(
      (error) => error,
    )
    expect(failed).toBeInstanceOf(AnswerFailed)
    expect(failed).toMatchObject({ failure: 'interrupted', text: 'Wipe it', message: 'The answer was cut off.' })
  })

  it('does not take a mistake of ours for a failure of the provider', async () => {
    const chatModel = modelOf(() => {
      throw new TypeError('ours')
    })
    await expect(collect(answer({ retrieve: finds, chatModel }, input, new AbortController().signal))).rejects.toThrow(
      TypeError,
    )
  })

  it('says that the token limit was reached', async () => {
    const chatModel = modelOf(async function* () {
      yield { kind: 'text', text: 'Wipe' }
      yield { kind: 'end', tokensInput: null, tokensOutput: null, truncated: true }
    })
    const steps = await collect(answer({ retrieve: finds, chatModel }, input, new AbortController().signal))
    expect(steps.at(-1)).toMatchObject({ kind: 'end', reason: 'length', text: 'Wipe' })
  })

  it('ends with what there is when it is stopped', async () => {
    const stop = new AbortController()
    const chatModel = modelOf(async function* (_, signal) {
      yield { kind: 'text', text: 'Wipe' }
      while (!signal.aborted) yield { kind: 'text', text: ' on' }
    })
    const steps: AnswerStep[] = []
    for await (const step of answer({ retrieve: finds, chatModel }, input, stop.signal)) {
      steps.push(step)
      if (steps.length === 3) stop.abort()
    }
    expect(steps.at(-1)).toMatchObject({ kind: 'end', reason: 'stopped', text: 'Wipe on' })
  })

  it('shows the model the conversation without its failures', async () => {
    const requests: ChatRequest[] = []
    const chatModel = modelOf((request, signal) => {
      requests.push(request)
      return friendly.stream(request, signal)
    })
    const history: AnswerInput['history'] = [
      { role: 'user', content: 'What is brass?' },
      { role: 'agent', content: 'A metal [1].' },
      { role: 'user', content: 'Is it heavy?' },
      { role: 'error', content: '' },
    ]
    await collect(answer({ retrieve: finds, chatModel }, { ...input, history }, new AbortController().signal))
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

  it('takes a full question as it is', () => {
    expect(retrievalQuery('How do I clean a lamp that is made of brass?', history)).toBe(
      'How do I clean a lamp that is made of brass?',
    )
  })

  it('puts the question before in front of a short one', () => {
    expect(retrievalQuery('And abroad?', history)).toBe('What is the warranty of floor lamps?\nAnd abroad?')
  })

  it('goes back until there are enough words, within five messages', () => {
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

  it('cuts the beginning of a long question before, so that all of a short one is searched', () => {
    const long = { role: 'user' as const, content: `💡${'What about lamps? '.repeat(120)}` }
    const query = retrievalQuery('And abroad?', [long])
    expect(query.length).toBe(2_000)
    expect(query).toMatch(/What about lamps\? \nAnd abroad\?$/)
    const justOver = { role: 'user' as const, content: `💡${'x'.repeat(1_987)}` }
    expect(retrievalQuery('And abroad?', [justOver])).toBe(`${'x'.repeat(1_987)}\nAnd abroad?`)
  })

  it('counts words of a language without spaces', () => {
    expect(retrievalQuery('黄铜台灯应该怎样清洁和保养才好', history)).toBe('黄铜台灯应该怎样清洁和保养才好')
  })
})
