import type { z } from 'zod'
import { sourceSchema } from '../../sources/source'
import { addressFragmentSchema, addressViewSchema } from '../../views/address'
import { agentViewSchema } from '../../views/chat/agent'
import { fragmentViewSchema } from '../../views/chat/fragment'
import {
  completionChunkSchema,
  completionViewSchema,
  modelListSchema,
  openAiErrorSchema,
} from '../../views/chat/openai'
import { foundFragmentSchema, searchExplanationSchema, searchViewSchema } from '../../views/chat/search-results'
import {
  candidateSchema,
  chatAnswerSchema,
  chatEventSchema,
  listedThreadViewSchema,
  messageViewSchema,
  publishedThreadViewSchema,
  simpleChatViewSchema,
  threadViewSchema,
  visitorThreadViewSchema,
} from '../../views/chat/thread'
import { collectionViewSchema } from '../../views/collection'
import { openApiDocumentSchema } from '../../views/openapi'
import { auditEventViewSchema } from '../../views/organizations/audit'
import { keychainViewSchema } from '../../views/organizations/keychain'
import { invitationViewSchema, memberViewSchema } from '../../views/organizations/member'
import {
  organizationDetailsSchema,
  organizationViewSchema,
  planViewSchema,
  usageRecordSchema,
  usageViewSchema,
} from '../../views/organizations/organization'
import { currentUserViewSchema } from '../../views/organizations/user'
import { pagePreviewViewSchema, previewEventSchema } from '../../views/preview'
import { problemSchema } from '../../views/problem'
import { reasonCountSchema, refreshViewSchema, runReportSchema } from '../../views/run'
import { fileViewSchema, sourceViewSchema } from '../../views/source'

/** Names of schemas in the description. A schema without a name is written where it is used. */
export const responseComponents: Record<string, z.ZodType> = {
  Address: addressViewSchema,
  AddressFragment: addressFragmentSchema,
  Agent: agentViewSchema,
  AuditEvent: auditEventViewSchema,
  Candidate: candidateSchema,
  ChatAnswer: chatAnswerSchema,
  ChatEvent: chatEventSchema,
  Collection: collectionViewSchema,
  Completion: completionViewSchema,
  CompletionChunk: completionChunkSchema,
  Description: openApiDocumentSchema,
  File: fileViewSchema,
  FoundFragment: foundFragmentSchema,
  Fragment: fragmentViewSchema,
  Invitation: invitationViewSchema,
  Keychain: keychainViewSchema,
  Member: memberViewSchema,
  Message: messageViewSchema,
  ModelList: modelListSchema,
  OpenAiError: openAiErrorSchema,
  Organization: organizationViewSchema,
  OrganizationDetails: organizationDetailsSchema,
  PagePreview: pagePreviewViewSchema,
  Plan: planViewSchema,
  PreviewEvent: previewEventSchema,
  Problem: problemSchema,
  PublishedThread: publishedThreadViewSchema,
  ReasonCount: reasonCountSchema,
  Refresh: refreshViewSchema,
  Run: runReportSchema,
  Search: searchViewSchema,
  SearchExplanation: searchExplanationSchema,
  SimpleChatAnswer: simpleChatViewSchema,
  Source: sourceViewSchema,
  Thread: threadViewSchema,
  ListedThread: listedThreadViewSchema,
  Usage: usageViewSchema,
  UsageRecord: usageRecordSchema,
  User: currentUserViewSchema,
  VisitorThread: visitorThreadViewSchema,
}

export const bodyComponents: Record<string, z.ZodType> = { NewSource: sourceSchema }
