import { describe, expect, it } from 'vitest'
import { chatFailure } from './chat-failures'

const vague = 'This does not exist or you do not have access to it.'

describe('chatFailure', () => {
  // contract Chat errors: Other failures show what the server says
  it("shows the server's message for invalid prompts and agents that are not ready", () => {
    expect(chatFailure({ status: 400, message: 'At most 512 characters.' })).toMatchObject({
      title: 'Failed to send message',
      message: 'At most 512 characters.',
    })
    expect(chatFailure({ status: 409, title: 'Conflict', message: 'This agent has no API key yet.' })).toMatchObject({
      title: 'Failed to process your request with Chat API',
      message: 'This agent has no API key yet.',
    })
  })

  it("shows the contract's texts where the problem has their titles", () => {
    expect(chatFailure({ status: 400 }).message).toBe('Invalid prompt, did you type your message?')
    const empty = {
      status: 404,
      title: 'No data fragments found on Chat API',
      message: 'Did you add your sources yet?',
    }
    expect(chatFailure(empty)).toMatchObject({
      title: 'No data fragments found on Chat API',
      message: 'Did you add your sources yet? Make sure to add them first!',
    })
    const message = 'You can no longer send any more messages.'
    expect(chatFailure({ status: 429, title: 'Chat API usage limit reached', message })).toMatchObject({
      title: 'Chat API usage limit reached',
      message,
    })
    expect(chatFailure({ status: 422, message: 'x' }).title).toBe('Your prompt was flagged by Moderation API')
    expect(chatFailure({ status: 500, message: 'internal' }).message).toBe(
      'Please try again later. Contact support if issue persists.',
    )
  })

  it('says of a deleted thread or agent that it is deleted', () => {
    expect(chatFailure({ status: 404, title: 'Not found', message: vague })).toMatchObject({
      title: 'Not found',
      message: 'The thread or its agent was deleted, or you do not have access to it. Start a new thread.',
    })
  })

  it('tells too many requests, and other limits of the plan, from used-up messages', () => {
    const wait = 'Your organization has too many searches in progress. Try again in 2 seconds.'
    expect(chatFailure({ status: 429, title: 'Too many requests', message: wait })).toMatchObject({
      title: 'Too many requests',
      message: wait,
    })
    const threads = 'Your plan allows 1000 threads; delete one or ask the operator for a larger plan.'
    expect(chatFailure({ status: 429, title: 'Usage limit reached', message: threads })).toMatchObject({
      title: 'Usage limit reached',
      message: threads,
    })
  })
})
