import { data } from '@remix-run/node'
import { type CheckedWidget, widgetCheckInputSchema } from '../../../contract/chat/widget-check'
import { isAppError } from '../../../server/errors'
import type { DashboardCall } from '../session/dashboard.server'

/** Checks the page of a website that a form names. */
export async function checkWidgetForm(call: DashboardCall, form: FormData, agentId: string) {
  const { services, actor, organizationId, context } = call
  const site = String(form.get('site') ?? '')
  const respond = (checked: CheckedWidget) => data(checked)
  const input = widgetCheckInputSchema.safeParse({ site })
  if (!input.success) return respond({ site, error: input.error.issues[0]?.message ?? 'Invalid address' })
  const loaderHash = context.settings.widgetHashes()['widget.js'] ?? null
  try {
    const request = { site: input.data.site, loaderHash }
    return respond({
      site,
      result: await services.checkWidget(actor, { organizationId, agentId }, request, context.signal),
    })
  } catch (error) {
    if (!isAppError(error) || !['rate_limited', 'invalid_input'].includes(error.code)) throw error
    return respond({ site, error: error.message })
  }
}
