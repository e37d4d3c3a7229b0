import type { Provider } from '../../contract/values/enumerations'
import { keyRates } from '../../contract/values/limits'
import type { Config } from '../config/config'
import { hasServerKey } from '../config/provider-settings'
import { preview } from '../engine/crawl/preview/preview'
import { previewPage } from '../engine/ingest/preview-page'
import { crawlLimits, searchLimits } from '../engine/limits'
import { createSealer } from '../sealing'
import { createAccounts } from '../services/accounts/accounts'
import { createPictures } from '../services/accounts/pictures'
import { createAddresses } from '../services/addresses/addresses'
import { createAdmin } from '../services/admin/admin'
import { createReadings } from '../services/admin/readings'
import { createAgents } from '../services/agents/agents'
import { createCatalog } from '../services/agents/catalog'
import { createLogos } from '../services/agents/logos'
import { createAudit } from '../services/audit/audit'
import { createScheduledBackups } from '../services/backup/scheduled-backups'
import { createChat } from '../services/chat/chat'
import { createRunningCalls } from '../services/chat/running-calls'
import { createSmartSearch } from '../services/chat/smart-search'
import { createSuggestQuestions } from '../services/chat/suggest-questions'
import { createEraseVisitor } from '../services/chat/threads/erase-visitor'
import { createSharedThreads } from '../services/chat/threads/shared-threads'
import { createThreadSelections } from '../services/chat/threads/thread-selections'
import { createThreads } from '../services/chat/threads/threads'
import { createVisitorThreads } from '../services/chat/threads/visitor-threads'
import { createVisitors } from '../services/chat/visitors'
import { isMultilingual } from '../services/collection-models/is-multilingual'
import { createModelChanges } from '../services/collection-models/model-changes'
import { createCollections } from '../services/collections/collections'
import { createRunControl } from '../services/crawling/runs/control/run-control'
import { createFileSources } from '../services/file-sources/file-sources'
import { createFiles } from '../services/files/files'
import { createEmbedding } from '../services/indexing/embedding'
import { createEmbeddingAccount } from '../services/indexing/embedding-account'
import { createEmbeddingRate } from '../services/indexing/embedding-rate'
import { createFeedSearch } from '../services/indexing/feed-search'
import { createVectorBuilding } from '../services/indexing/model-changes/build-vectors'
import { createTextReindexing } from '../services/indexing/reindex-text'
import { createAdmitKey } from '../services/keychains/admit-key'
import { createKeychains } from '../services/keychains/keychains'
import { createConnectionTests } from '../services/keychains/test-connection'
import { createAccessTokens } from '../services/keys/access-tokens'
import { createMail } from '../services/mail/mail'
import { createModeration } from '../services/moderation/moderation'
import { createNotices } from '../services/notices/notices'
import { createFirstSteps } from '../services/onboarding/first-steps'
import { createManual } from '../services/onboarding/manual'
import { createOverview } from '../services/onboarding/overview'
import { createContainingOrganization } from '../services/organizations/containing-organization'
import { createInstallation } from '../services/organizations/installation'
import { createInvitations } from '../services/organizations/invitations'
import { createMembers } from '../services/organizations/members'
import { createMonthlyLimits } from '../services/organizations/monthly-limits'
import { createOrganizationDetails } from '../services/organizations/organization-details'
import { createOrganizations } from '../services/organizations/organizations'
import { createPlans } from '../services/organizations/plans'
import { createRemovals } from '../services/organizations/removals'
import { createPagePreviews } from '../services/previews/page-previews'
import { createOrganizationDeletion } from '../services/purge/delete-organization'
import { createPurge } from '../services/purge/purge-collections'
import { createRetention } from '../services/retention/retention'
import { createCitePassages } from '../services/search/cite-passages'
import { createCollectionLanguages } from '../services/search/collection-languages'
import { createReranking } from '../services/search/reranking'
import { createSearch } from '../services/search/search-collections'
import { createTranslateQuestion } from '../services/search/translate-question'
import { createSiteIcons } from '../services/sites/site-icons'
import { createSources } from '../services/sources/sources'
import { createOptimizer } from '../services/storage/optimize'
import { createSuggestions } from '../services/suggestions/suggestions'
import { createOrganizationExport } from '../services/transfer/export-organization'
import { createOrganizationImport } from '../services/transfer/import-organization'
import { createFairTurns } from '../services/usage/fair-turns'
import { createUsageRecords } from '../services/usage/usage-records'
import { createUseCounters } from '../services/usage/use-counters'
import { createVisitorRates } from '../services/usage/visitor-rates'
import { createWidgetCheck } from '../services/widget/widget-check'
import type { Adapters } from './adapters'
import { planOf } from './backups'
import { createCrawling } from './crawling'
import type { Engine } from './engine'
import { outboundOf } from './outbound'
import { defaultModel } from './provider-views'

/** The services that routes, jobs and commands call. */
export type Services = ReturnType<typeof createServices>

export function createServices(adapters: Adapters, engine: Engine, config: Config) {
  const { db, indexes, log, ranker, telemetry, tokenizer } = adapters
  const sealer = createSealer(adapters.secrets.sealingKeys)
  const useCounters = createUseCounters({ db })
  const organizations = createOrganizations({
    db,
    useCounters,
    sealer,
    maxPerPerson: config.limits.organizationsPerPerson,
    defaultPlan: config.defaultPlan,
  })
  const serverKeys = forEachProvider((provider) => {
    const settings = config.providers[provider]
    return hasServerKey(settings) ? { apiKey: settings.apiKey } : null
  })
  const moderation = createModeration({ db, sealer, moderator: adapters.moderator, serverKeys, log })
  const collections = createCollections({ db, organizations, moderation, embeddingModel: config.embedding.name })
  const previewTurns = createFairTurns('previews', crawlLimits.previewTurns)
  const embeddingRate = createEmbeddingRate()
  const sources = createSources({
    db,
    organizations,
    sealer,
    embeddingRate,
    turns: previewTurns,
    preview: (request, signal) => preview(engine, request, signal),
  })
  const files = createFiles({ db, fileStore: adapters.fileStore })
  const crawling = createCrawling({ ...adapters, engine, sealer, organizations, files })
  const { frontier } = crawling
  const models = forEachProvider(adapters.chatModel)
  const languagesOf = createCollectionLanguages(db.read)
  const suggestions = createSuggestions({ queries: db.read, models, languagesOf })
  const agents = createAgents({
    db,
    sealer,
    organizations,
    moderation,
    serverKeys,
    suggestions,
    defaultModel: (provider) => defaultModel(config, provider),
  })
  const embeddingAccount = createEmbeddingAccount({ db, sealer, log })
  const embedding = createEmbedding({
    db,
    indexes,
    rate: embeddingRate,
    tokenizer,
    defaultModel: config.embedding.name,
    // Models of services were trained for many languages.
    isMultilingual: (name) =>
      config.embedding.services.has(name) || isMultilingual(adapters.modelStore.languagesOf(name)),
    load: (name) => adapters.loadModel(name, embeddingAccount),
    retryMs: adapters.embeddingRetryMs,
    isShared: config.cluster !== null,
    stopping: adapters.stopping,
    log,
  })
  const searchTurns = createFairTurns('searches', searchLimits.turns)
  const monthlyLimits = createMonthlyLimits({ db, organizations, useCounters })
  const reranking = createReranking({ model: config.reranker?.name ?? null, load: adapters.loadReranker, log })
  const search = createSearch({
    db,
    indexes,
    embedding,
    languagesOf,
    ranker,
    reranker: reranking.current,
    telemetry,
    turns: searchTurns,
    monthlyLimits,
    log,
  })

  const mail = createMail({ mailer: adapters.mailer, createLimiter: adapters.createBurstLimiter })

  const chat = createChat({
    moderation,
    db,
    sealer,
    search,
    organizations,
    visitorIp: config.visitorIp,
    citePassages: createCitePassages({ tokenizer, embedding, log }),
    translateQuestion: createTranslateQuestion({ models, languagesOf, embedding, log }),
    models,
    serverKeys,
    telemetry,
    log,
  })

  const checkWidget = createWidgetCheck({
    db,
    fetcher: adapters.fetcher,
    publicUrl: config.publicUrl,
    agents,
    turns: createFairTurns('widget checks', crawlLimits.widgetCheckTurns),
  })

  const feedSearch = createFeedSearch({ db, feed: adapters.searchFeed, lockRebuild: adapters.lockRebuild })
  const textReindexing = createTextReindexing({ db, indexes })
  const scheduledBackups = createScheduledBackups({
    dataDir: config.dataDir,
    databaseFile: config.databaseFile,
    version: adapters.version,
    plan: config.backups && planOf(config.backups),
    backUp: adapters.backUp,
    archives: adapters.archives,
    onFailure: () => adapters.metrics?.backupFailed(),
    log,
  })
  const notices = createNotices({
    db,
    mail,
    publicUrl: config.publicUrl,
    storage: adapters.storageState,
    backups: scheduledBackups.state,
    log,
  })
  const purge = createPurge({ db, indexes, files })
  const audit = createAudit({ db })

  return {
    accounts: createAccounts({ db }),
    accessTokens: createAccessTokens({ db }),
    pictures: createPictures({ db, fetcher: adapters.fetcher, log }),
    admin: createAdmin({
      db,
      useCounters,
      sealer,
      embeddingRate,
      serverKeys,
      audit,
      machine: adapters.machineState,
      backups: scheduledBackups.state,
      embedding,
      reranker: reranking.state,
      searchIndex: feedSearch.state,
      models: adapters.modelStore,
      outbound: outboundOf(config),
    }),
    scheduledBackups,
    readings: createReadings({ db, storage: adapters.storageState }),
    audit,
    organizations,
    organizationDetails: createOrganizationDetails({ db, organizations, useCounters }),
    containingOrganization: createContainingOrganization({ db }),
    removals: createRemovals({ db }),
    overview: createOverview({ db, agents, sources, embedding, notices, sealer, serverKeys }),
    firstSteps: createFirstSteps({ collections, sources, agents }),
    usageRecords: createUsageRecords({ db }),
    useCounters,
    monthlyLimits,
    plans: createPlans({ db }),
    members: createMembers({ db }),
    invitations: createInvitations({ db, sealer, publicUrl: config.publicUrl, mail }),
    mail,
    notices,
    collections,
    connectionTests: createConnectionTests({ db, sealer, models, serverKeys }),
    checkWidget,
    sources,
    pagePreviews: createPagePreviews({
      db,
      sealer,
      turns: previewTurns,
      previewPage: (request, signal) => previewPage(engine, request, signal),
    }),
    files,
    fileSources: createFileSources({ db, organizations, sealer, embeddingRate, files }),
    runControl: createRunControl({ db, organizations, frontier }),
    addresses: createAddresses({ db, indexes, frontier }),
    agents,
    logos: createLogos({ db }),
    siteIcons: createSiteIcons({ db }),
    catalog: createCatalog({ db, sealer, serverKeys }),
    search,
    reranking,
    chat,
    suggestQuestions: createSuggestQuestions({ db, sealer, serverKeys, suggestions }),
    smartSearch: createSmartSearch({ chat, search }),
    sharedThreads: createSharedThreads({ db, suggestions }),
    visitors: createVisitors({ db }),
    visitorThreads: createVisitorThreads({ db }),
    keychains: createKeychains({ db, sealer }),
    admitKey: createAdmitKey({
      db,
      rate: adapters.createWindow({ name: 'key', max: keyRates.default, windowMs: 60_000 }),
    }),
    visitorRates: createVisitorRates({
      limit: config.limits.publicRequestsPerMinute,
      window: adapters.createWindow({
        name: 'visitor',
        max: config.limits.publicRequestsPerMinute,
        windowMs: 60_000,
      }),
    }),
    threads: createThreads({ db }),
    threadSelections: createThreadSelections({ db }),
    retention: createRetention({ db, log }),
    eraseVisitor: createEraseVisitor({ db }),
    runningCalls: createRunningCalls({ signals: adapters.signals }),
    manual: createManual({
      db,
      pages: adapters.manualPages,
      publicUrl: config.publicUrl,
      collections,
      sources,
      agents,
    }),
    embedding,
    embeddingAccount,
    modelChanges: createModelChanges({
      db,
      embedding,
      languagesOf,
      store: adapters.modelStore,
      services: [...config.embedding.services.keys()],
    }),
    vectorBuilding: createVectorBuilding({ db, indexes, embedding, feed: adapters.searchFeed, log }),
    textReindexing,
    optimizer: createOptimizer({
      db,
      databaseFile: config.databaseFile,
      mergeSegments: adapters.mergeSegments,
      textReindexing,
    }),
    feedSearch,
    crawling,
    purge,
    installation: createInstallation({ db }),
    exportOrganization: createOrganizationExport({ db, fileStore: adapters.fileStore }),
    importOrganization: createOrganizationImport({
      db,
      indexes,
      fileStore: adapters.fileStore,
      dataDir: config.dataDir,
    }),
    organizationDeletion: createOrganizationDeletion({ db, purgeCollection: purge.collection }),
  }
}

function forEachProvider<Value>(make: (provider: Provider) => Value): Record<Provider, Value> {
  return { openai: make('openai'), anthropic: make('anthropic'), gemini: make('gemini'), deepseek: make('deepseek') }
}
