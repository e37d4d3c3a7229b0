/** What the server notices by itself, and mails to those who can do something about it. */
export const noticeKinds = [
  'source-failing',
  'pages-lost',
  'plan-limit',
  'answers-failing',
  'disk-low',
  'backup-failed',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** Shares of a plan's limit at which its organization is told. */
export const noticedShares = [0.8, 1] as const

/** Answers of an agent that are looked at, and failures among them from which on its organization is told. */
export const noticedAnswers = { looked: 10, failed: 6 } as const

/** Runs without a readable page in a row. */
export const noticedFailures = 3

/** Share of a source's pages that a run may lose. */
export const noticedLoss = 0.2

/** Share of the disk that has to be free. */
export const minFreeDisk = 0.1
