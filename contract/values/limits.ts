/** The contract's constants (specification, sections 5 and 9). */

export const lengths = {
  collectionName: 64,
  collectionDescription: 512,
  sourceName: 64,
  agentName: 64,
  agentDescription: 512,
  /** One of the questions that an agent suggests. */
  suggestion: 120,
  model: 64,
  /** Characters of the prompt in the dashboard's field, and over /v1: the contract has both numbers. */
  systemPromptField: 10_000,
  systemPrompt: 20_000,
  chatPrompt: 512,
  /** The maximum of all agents, whose own is 256 to 2,048. */
  message: 2_048,
  searchQuery: 10_000,
  /** Characters of a query that are searched; the rest is ignored. */
  searchedQuery: 2_000,
  organizationName: 32,
  entityName: 48,
  onboardingOther: 64,
  address: 2_048,
  apiKey: 512,
  /** What a host page says of its visitor. */
  externalId: 128,
  externalEmail: 254,
  feedbackComment: 1_000,
} as const

/** Characters of a request's header, such as User-Agent, that are stored. */
export const maxStoredHeaderLength = 300

/** Bytes of a body that anybody can send, beyond the text that it is for. */
export const anonymousBodyBytes = 8 * 1024

export const pageSizes = [5, 10, 25, 50, 100] as const
export const defaultPageSizes = {
  collections: 10,
  agents: 10,
  sources: 5,
  addresses: 25,
  threads: 100,
  members: 25,
  invitations: 10,
  runs: 10,
  fragments: 25,
  admin: 25,
} as const

export const agentDefaults = {
  fragmentSimilarity: 0.3,
  fragmentLimit: 20,
  historyLimit: 20,
  maxTotalOutputTokens: 4_096,
  messageLength: 512,
} as const

/** Questions that an agent suggests. */
export const maxSuggestions = 6

export const agentRanges = {
  fragmentSimilarity: { min: 0.1, max: 1, step: 0.1 },
  fragmentLimit: { min: 1, max: 25, step: 1 },
  historyLimits: [-1, 20, 15, 10, 5, 0],
  maxTotalOutputTokens: { min: 512, max: 4_096, step: 16 },
  messageLength: { min: 256, max: 2_048, step: 16 },
} as const

/** Requests a minute of each key of an agent. */
export const keyRates = { min: 1, max: 6_000, default: 240 } as const

/** What visitors may use of a monthly limit on one day, in percent. */
export const visitorDailyShare = { min: 1, max: 100, default: 10 } as const

/** Days after which an organization's data is deleted, where an administrator limits them. */
export const retentionDays = { min: 1, max: 730 } as const

/** Answers a day to callers with a key, where an administrator limits them. */
export const dailyMessages = { min: 1, max: 1_000_000 } as const

/** Milliseconds. */
export const notificationTimes = { notification: 7_500, tick: 500, toast: 3_000 } as const

/** Ranges of a source's options. The crawl delay is the time in milliseconds between two requests to its site. */
export const sourceRanges = {
  patterns: 50,
  patternLength: 256,
  selectors: 20,
  selectorLength: 200,
  maxPages: { min: 1, max: 50_000 },
  maxDepth: { min: 0, max: 50 },
  crawlDelayMs: { min: 0, max: 60_000 },
  headers: 20,
  headerLength: 4_096,
} as const

/** NIST SP 800-63B, 3.1.1.2: a minimum length, no composition rules. The maximum limits the cost of hashing. */
export const passwordLength = { min: 10, max: 256 } as const
export const maxPersonNameLength = 64
export const passkeyLimits = { nameLength: 64, maxPerPerson: 20 } as const

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
export type PictureType = (typeof pictureTypes)[number]
export const maxPictureBytes = 256 * 1024

export type LogoType = PictureType | 'image/svg+xml'
export const maxLogoBytes = 64 * 1024

export const accessTokenLimits = { nameLength: 64, maxDays: 365, maxPerPerson: 50 } as const
