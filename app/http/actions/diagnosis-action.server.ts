import { data } from '@remix-run/node'
import { embedDiagnosisInputSchema } from '../../../contract/chat/embed'
import type { DiagnosisEnd } from '../../../contract/views/chat/embed-diagnosis'
import { isAppError } from '../../../server/errors'
import type { DashboardCall } from '../session/dashboard.server'

/** Runs the embed doctor to its end, for the form without a script. */
export async function diagnoseForm(
  { services, actor, organizationId, context }: DashboardCall,
  form: FormData,
  agentId: string,
) {
  const site = String(form.get('site') ?? '')
  const input = embedDiagnosisInputSchema.safeParse({ site })
  const answer = (end: DiagnosisEnd) => data({ site, end })
  if (!input.success) return answer({ kind: 'failed', message: input.error.issues[0]?.message ?? 'Invalid address' })
  const request = { ...input.data, widgetHashes: context.settings.widgetHashes() }
  try {
    const ref = { organizationId, agentId }
    for await (const event of await services.embedDoctor.diagnose(actor, ref, request, context.signal))
      if (event.kind !== 'step') return answer(event)
  } catch (error) {
    if (!isAppError(error) || error.code !== 'rate_limited') throw error
    return answer({ kind: 'failed', message: error.message })
  }
  throw new Error('The diagnosis ended without a result.')
}
