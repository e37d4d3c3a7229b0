/** What the lists of the dashboard can be sorted by, in addition to newest first. */

export const collectionSorts = ['name', 'created_at'] as const
export type CollectionSort = (typeof collectionSorts)[number]

export const agentSorts = ['name', 'status', 'created_at'] as const
export type AgentSort = (typeof agentSorts)[number]

export const sourceSorts = ['name', 'status', 'refreshed_at'] as const
export type SourceSort = (typeof sourceSorts)[number]

/** `address` is the title of the page, or the URL of one without a title. */
export const addressSorts = ['address', 'status', 'fragments', 'crawled_at'] as const
export type AddressSort = (typeof addressSorts)[number]
