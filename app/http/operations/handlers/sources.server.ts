import type { sourceOperations } from '../../../../contract/api/sources'
import type { Call, Handlers } from '../../api/handler.server'
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

  pauseSource: (call) => controlRun(call, 'pause'),

  resumeSource: (call) => controlRun(call, 'resume'),

  cancelSource: (call) => controlRun(call, 'cancel'),

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

type ControlCall = Call<(typeof sourceOperations)['pauseSource' | 'resumeSource' | 'cancelSource']>

/** Controls the run of a source, and responds with the source as it is then. */
async function controlRun({ services, actor, params }: ControlCall, act: 'pause' | 'resume' | 'cancel') {
  const ref = sourceRef(params)
  await services.runControl[act](actor, ref)
  return { success: true as const, source: await services.sources.get(actor, ref) }
}
