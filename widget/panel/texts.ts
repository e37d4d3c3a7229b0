/** The words of the panel in English. Other languages have the same keys in widget/locales. */
export const english = {
  title: 'Ask a question',
  greeting: 'What would you like to know?',
  proof: 'Every answer shows the page it comes from.',
  subtitle: 'Answers from our website, with sources',
  ask: 'Ask',
  search: 'Search',
  askLabel: 'Your question',
  searchLabel: 'What are you looking for?',
  send: 'Send',
  stop: 'Stop',
  close: 'Close',
  again: 'New conversation',
  copy: 'Copy',
  copied: 'Copied',
  helpful: 'Helpful',
  unhelpful: 'Not helpful',
  thanks: 'Thank you.',
  why: 'What was missing?',
  sources: 'Sources',
  thinking: 'Searching…',
  stopped: 'Stopped.',
  tooLong: 'Your question can have at most %n characters. Shorten it and send it again.',
  unanswered: 'I can’t answer right now. These pages may help.',
  nothing: 'Nothing found.',
  offline: 'No connection. Try again in a moment.',
  refused: 'The assistant is not available on this page.',
  retry: 'Retry',
  contact: 'Leave a message',
  copyCode: 'Copy code',
  incomplete: 'Connection lost. The answer is incomplete.',
  followUps: 'Next questions',
  results: 'Results: %n',
  // The server's own sentences about a message (contract/texts/chat/message-status.ts), word for word.
  failed: 'Failed',
  stoppedWithin: 'Stopped before the end of the answer.',
  lengthReached: 'The answer reached the output token limit.',
  filtered: "The provider's filter ended the answer.",
}
export type Texts = typeof english

/** Returns a sentence of the server in the language of the panel; one that the panel does not know as it is. */
export function translate(sentence: string, texts: Texts): string {
  const keys = Object.keys(english) as (keyof Texts)[]
  const key = keys.find((item) => english[item] === sentence)
  return key ? texts[key] : sentence
}
