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

/** Shares of a plan limit that raise a notice. */
export const noticedShares = [0.8, 1] as const

/** How many of an agent's latest answers are checked, and how many failures among them raise a notice. */
export const noticedAnswers = { looked: 10, failed: 6 } as const

/** How many consecutive runs without a readable page raise a notice. */
export const noticedFailures = 3

/** A run that loses a larger share of a source's pages raises a notice. */
export const noticedLoss = 0.2

/** A smaller free share of the disk raises a notice. */
export const minFreeDisk = 0.1
