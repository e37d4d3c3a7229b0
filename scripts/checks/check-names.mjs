// Checks that names which were replaced by the field's terms do not come back. Reports each with the name to use.
import { readFileSync } from 'node:fs'
import { listFiles } from '../lib/list-files.mjs'
import '../lib/root.mjs'

const ROOMS = ['app', 'cli', 'contract', 'db', 'server', 'tests', 'widget', 'workers', 'docs/decisions', 'docs/manual']
/** Names of fixtures are those of what they imitate. */
const FIXTURES = 'tests/fixtures/'

/** @type {Record<string, string>} Replaced name -> the name to use. */
const REPLACED = {
  // On the wire.
  by_meaning: "mode: 'hybrid' | 'keyword'",
  rank_words: 'keyword_rank',
  rank_meaning: 'vector_rank',
  found_by_words: 'keyword_hits',
  found_by_meaning: 'vector_hits',
  order_score: 'rerank_score',
  dense_share: 'vector_weight',
  words_held: 'term_coverage',
  words_weighted: 'weighted_term_coverage',
  fills_place: 'backfilled',
  pieces_per_word: 'tokens_per_word',
  left_out: 'skipped',
  refusals: 'rejected',
  pace_ms: 'crawl_delay_ms',
  paceMs: 'crawlDelayMs',
  fragments_without_vector: 'pending_embeddings',
  last_whole_run: 'last_full_run',
  // Columns and tables.
  wholeUntil: 'committedThroughKey',
  readBy: 'extractorVersion',
  foundOn: 'discoveredFrom',
  canonicalOf: 'canonicalUrl',
  onlyOnce: 'dedupeKey',
  isHome: 'isEntryPage',
  words_missing: 'text_index_backlog',
  // Services.
  rivalOf: 'findDuplicate',
  takeOver: 'takeOwnership',
  giveWay: 'mergeInto',
  gaveWayTo: 'mergedInto',
  mayGiveWayTo: 'canFollowCanonical',
  readThoseBehind: 'revisitDependents',
  siteShares: 'boilerplate',
  sharesWanted: 'enqueueBoilerplate',
  vectorsWanted: 'enqueueEmbedding',
  isInside: 'countsTowardLimit',
  isOutside: 'isExcluded',
  mostInside: 'pageLimit',
  lineUp: 'enqueueRun',
  putBack: 'requeue',
  giveBackCrawls: 'refundCrawls',
  endLost: 'failOrphaned',
  // Engine.
  formWorth: 'termSimilarity',
  wordEvidence: 'termCoverage',
  Likeness: 'Relevance',
  provenBy: 'smoothed',
  chooseHits: 'selectHits',
  WordsInstead: 'QueryExpansion',
  isPaired: 'isUnsegmented',
  pairsOf: 'bigrams',
  soughtWords: 'queryTerms',
  ownText: 'detachString',
  toldPages: 'alternateText',
  missingPages: 'soft404',
  numberStreaks: 'crawlerTraps',
  askSite: 'politeFetch',
  readAnswer: 'classifyResponse',
  answerMemory: 'singleFlightCache',
  LongWait: 'HostBusy',
  standIn: 'interstitial',
  thingFacts: 'schemaOrgFacts',
  // Unreliable in Node 20: see contract/values/url.ts.
  canParse: 'parseUrl',
  // Adapters and the edge.
  createTurns: 'createMutex or p-queue',
  createBreathing: 'yieldToEventLoop',
  actOn: 'handle…',
  notFoundIfGone: 'accountRequired',
  failsLikeOpenAi: "errorFormat: 'openai'",
  describedBody: 'documentedBody',
  isForPages: 'acceptsPublicKey',
  limitVisitors: 'rateLimitAnonymous',
  countsItself: 'meteredByHandler',
  orFlash: 'redirectWithError',
  withSkipped: 'addSkippedCounts',
  giveBack: 'refund',
  giveBackCrawl: 'refundCrawl',
  messagesUsedUp: 'messageQuotaExceeded',
  usedUpForVisitors: 'visitorQuotaExceeded',
  isPublicCaller: 'isVisitor',
  claimJobs: 'claimJob',
  embedDoctor: 'checkWidget',
  diagnoseEmbed: 'checkWidget',
  decideChange: 'decide',
  applyChange: 'applyVisit',
  loadRun: 'takeRun',
}

/** Numbers are named by their bound. */
const BOUND = /^(most|fewest|longest|deepest|largest|smallest)[A-Z]/

/** Variables that say nothing. A property of an object may have such a name. */
const VAGUE =
  /\b(?:const|let)\s+(?:\[\s*)?(at|one|other|some|many|given|made|here)\b(?= ?[=:,\]]| of )(?!\s*:\s*'|,)|\(\s*(at|one|other|some|many|given|made|here)(?:: [^()]+)?\)(?:: [^=]+)? =>/

const files = listFiles(ROOMS).filter((file) => /\.(tsx?|mjs|md)$/.test(file) && !file.startsWith(FIXTURES))

/** Commands reach the data through services, as routes do. */
const DATABASE = /\bapp\.db\b/

for (const file of files) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (file.startsWith('cli/') && DATABASE.test(line)) {
      console.log(`${file}:${index + 1}: a command does not use the database: call a service.`)
      process.exitCode = 1
    }
    const [, declared, parameter] = file.endsWith('.md') ? [] : (VAGUE.exec(line) ?? [])
    if (declared ?? parameter) {
      console.log(`${file}:${index + 1}: '${declared ?? parameter}' says nothing: name what it is.`)
      process.exitCode = 1
    }
    for (const [name] of line.matchAll(/[A-Za-z_$][\w$]*/g)) {
      const use = Object.hasOwn(REPLACED, name) ? REPLACED[name] : BOUND.test(name) ? 'max… or min…' : null
      if (use === null) continue
      console.log(`${file}:${index + 1}: '${name}' was replaced: use ${use}.`)
      process.exitCode = 1
    }
  }
}
