import { describe, expect, it } from 'vitest'
import { createAnswerDraft } from './answer-draft'

const asked = { provider: 'openai', model: 'gpt-4o' } as const
const fragment = { id: 'f1', title: 'Care', headings: [], content: 'Wipe.', score: 1 }
const page = { ...fragment, url: 'https://a.example/care', link: 'https://a.example/care' }

describe('createAnswerDraft', () => {
  it.each([
    ['Take ` and wipe it', 'Take ` and wipe it'],
    ['Dry [1](https://a.exa', 'Dry [1](https://a.example/care)(https://a.exa'],
    ['Dry.\n<<answ', 'Dry.'],
  ])('has all of the text after a stop within %j', (text, expected) => {
    const draft = createAnswerDraft()
    draft.begin(asked, [page])
    draft.add({ kind: 'text', text })
    draft.flush()
    draft.flush()
    expect(draft.state.text).toBe(expected)
  })

  it('forgets text and citations that the model discards', () => {
    const draft = createAnswerDraft()
    draft.begin(asked, [page])
    draft.add({ kind: 'text', text: 'Secret [1] and ' })
    expect(draft.add({ kind: 'discard' })).toBe('')
    expect(draft.state).toMatchObject({ text: '', cited: [], firstTextMs: null })
    draft.add({ kind: 'text', text: 'Wipe it.' })
    draft.add({ kind: 'end', stopReason: 'complete', responseId: null, tokensInput: null, tokensOutput: null })
    expect(draft.state).toMatchObject({ text: 'Wipe it.', cited: [], verdict: 'not-found' })
  })
})
