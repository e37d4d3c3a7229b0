/** The contract's texts for a system prompt that the moderation flags (specification, section 8). */
export const systemPromptFlagged = {
  title: 'Your system prompt was flagged by Moderation API',
  message: 'We do not allow potentially harmful content, please change your prompt!',
} as const
