import { describe, expect, it } from 'vitest'
import { chatFailure } from './chat-failures'

describe('chatFailure', () => {
  it("shows the server's message for invalid prompts and agents that are not ready", () => {
    expect(chatFailure(400, 'At most 512 characters.')).toMatchObject({
      title: 'Failed to send message',
      message: 'At most 512 characters.',
    })
    expect(chatFailure(409, 'This agent has no API key yet.')).toMatchObject({
      title: 'Failed to process your request with Chat API',
      message: 'This agent has no API key yet.',
    })
  })

  it("shows the contract's texts otherwise", () => {
    expect(chatFailure(400).message).toBe('Invalid prompt, did you type your message?')
    expect(chatFailure(404, 'Not found').title).toBe('No data fragments found on Chat API')
    expect(chatFailure(429, 'usage').message).toBe('You can no longer send any more messages.')
    expect(chatFailure(500, 'internal').message).toBe('Please try again later. Contact support if issue persists.')
  })
})
