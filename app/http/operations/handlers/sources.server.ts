import type { sourceOperations } from '../../../../contract/api/sources'
import type { Handlers } from '../../api/handler.server'
import { previewStream } from '../../streams/preview-stream.server'
import { sourceProgress } from '../../streams/source-progress.server'
import { eventStream } from '../../streams/sse.server'
import { fileResponse } from '../../uploads/file-download.server'
import { addSource, editSource } from '../../uploads/source-upload.server'
import { collectionRef, sourceRef } from './refs.server'

export const sourceHandlers = {
  listSources: async ({ services, actor, params, query }) => ({
    sources: await services.sources.list(actor, collectionRef(params), query),
  }),

  createSource: async ({ context, request, actor, params }) => ({
    source: await addSource(context, request, actor, collectionRef(params)),
  }),

  previewSource: ({ services, actor, reauthenticate, params, body, context }) =>
    previewStream(
      context,
      services.sources.preview(actor, collectionRef(params), body, context.signal, reauthenticate),
    ),

  previewPage: async ({ services, actor, params, body, context: { signal } }) => ({
    preview: await services.pagePreviews.preview(actor, params.orgId, params.collectionId, body, signal),
  }),

  getSource: async ({ services, actor, params }) => ({
    source: await services.sources.get(actor, sourceRef(params)),
  }),

  updateSource: async ({ context, request, actor, params }) => ({
    success: true,
    source: await editSource(context, request, actor, sourceRef(params)),
  }),

  deleteSource: ({ services, actor, params }) => services.sources.remove(actor, sourceRef(params)),

  getSourceFile: async ({ services, actor, params, context }) =>
    fileResponse(await services.fileSources.original(actor, sourceRef(params)), context),

  refreshSource: ({ services, actor, params, body, context: { signal } }) =>
    services.runControl.refresh(actor, sourceRef(params), body, { signal }),

  pauseSource: async ({ services, actor, params }) => {
    const ref = sourceRef(params)
    await services.runControl.pause(actor, ref)
    return { success: true, source: await services.sources.get(actor, ref) }
  },

  resumeSource: async ({ services, actor, params }) => {
    const ref = sourceRef(params)
    await services.runControl.resume(actor, ref)
    return { success: true, source: await services.sources.get(actor, ref) }
  },

  cancelSource: async ({ services, actor, params }) => {
    const ref = sourceRef(params)
    await services.runControl.cancel(actor, ref)
    return { success: true, source: await services.sources.get(actor, ref) }
  },

  listRuns: async ({ services, actor, params, query }) => ({
    runs: await services.runControl.reports(actor, sourceRef(params), query),
  }),

  watchSource: async ({ services, actor, reauthenticate, params, context }) => {
    const ref = sourceRef(params)
    const first = await services.sources.get(actor, ref)
    const load = async () => services.sources.get(await reauthenticate(), ref)
    return eventStream(context, sourceProgress(load, first, context.signal))
  },
} satisfies Handlers<typeof sourceOperations>
