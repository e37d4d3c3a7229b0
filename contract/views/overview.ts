import type { AgentStatus, Verdict } from '../values/enumerations'
import type { NoticeView } from './notice'
import type { SourceView } from './source'

/** The latest conversations, each with its first question and how far the first answer went. */
export interface RecentQuestion {
  thread_id: string
  title: string
  /** Null once the agent is deleted. */
  agent: string | null
  /** Host of the website that the question came from; null for the dashboard and for programs. */
  origin: string | null
  /** Null without a complete answer. */
  verdict: Verdict | null
  created_at: string
}

export interface RecentCollection {
  id: string
  name: string
  sources: number
  /** Sources whose last run failed. */
  failed_sources: number
  addresses: number
  /** Time of its last refreshed source; null before the first refresh. */
  refreshed_at: string | null
}

export interface FailedSource {
  id: string
  collection_id: string
  name: string
  message: string | null
}

/** An agent that a person has to set up, or whose answers fail. */
export interface AgentInNeed {
  id: string
  name: string
  status: AgentStatus
}

/** The questions of the conversations that began on one day (UTC). */
export interface QuestionDay {
  /** As 2026-01-31. */
  day: string
  /** With an answer, in whole or in part. */
  answered: number
  not_found: number
}

/** What the dashboard shows of an organization besides its usage. */
export interface OverviewView {
  collections: RecentCollection[]
  /** Sources that are being crawled or indexed. */
  crawls: SourceView[]
  questions: RecentQuestion[]
  /** The last 30 days, the oldest first. */
  question_days: QuestionDay[]
  /** What the server noticed by itself, the oldest first. */
  notices: NoticeView[]
  failed_sources: { docs: FailedSource[]; total: number }
  agents_in_need: AgentInNeed[]
  /** Questions of the last seven days that the collections had no answer to. */
  unanswered: number
  /** Fragments without a vector. */
  pending_embeddings: number
  /** Whether any agent has given an answer. */
  has_answer: boolean
  /** Whether any agent has a provider, a model and a key. */
  has_key: boolean
  /** Whether a provider has accepted one of the keys. */
  has_tested_key: boolean
  /** The agent to set up or to ask first; null without agents. */
  first_agent: { id: string; is_ready: boolean } | null
}
