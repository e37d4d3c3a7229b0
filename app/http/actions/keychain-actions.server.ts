import { keychainFormSchema, renewalSchema } from '../../../contract/organizations/keychain'
import { AppError } from '../../../server/errors'
import { toast } from '../../components/notifications/notification'
import { paths } from '../../paths'
import { redirectWith } from '../cookies/notifications.server'
import { submitForm } from '../forms/form.server'
import { redirectWithError } from '../forms/redirect-with-error.server'
import type { DashboardCall } from '../session/dashboard.server'

/** The pages that have forms about the keys, to which the form returns. */
const pages: Record<string, (id: string) => string> = {
  widget: paths.agentWidget,
  'demo-widget': paths.agentChatWidget,
  'demo-search': paths.agentSearch,
}

/** Handles the forms about the keys of an agent. Null for an intent of another kind. */
export function handleKeychainAction(call: DashboardCall, form: FormData, agentId: string) {
  const { services, actor, organizationId, context } = call
  const ref = { organizationId, agentId }
  const back = paths.agentApi(agentId)
  switch (form.get('intent')) {
    case 'create-keychain':
      return redirectWithError('Failed to create API keys.', call, async () => {
        await services.keychains.save(actor, ref, { regenerate: false })
        return redirectWith(context, pageOf(form, agentId), toast('success', 'API keys created successfully'))
      })
    case 'save-keychain':
      return submitForm(context, form, keychainFormSchema, 'Failed to save API settings', async (settings) => {
        await services.keychains.save(actor, ref, { regenerate: false, ...settings })
        return redirectWith(context, back, toast('success', 'API settings saved successfully'))
      })
    case 'regenerate-keys':
      return submitForm(context, form, renewalSchema, 'Failed to regenerate API keys.', async ({ keys }) => {
        await services.keychains.save(actor, ref, { regenerate: keys === 'both' ? true : keys })
        return redirectWith(context, back, toast('success', 'API keys regenerated successfully'))
      })
    case 'allow-origin':
      return redirectWithError('Failed to allow the origin', call, async () => {
        const keychain = await services.keychains.get(actor, ref)
        if (!keychain) throw new AppError('not_found', 'This agent has no keys yet.')
        const list = [keychain.allowed_origins, String(form.get('origin') ?? '')].filter(Boolean).join(', ')
        const parsed = keychainFormSchema.shape.allowedOrigins.safeParse(list)
        if (!parsed.success) throw new AppError('invalid_input', parsed.error.issues[0]?.message ?? 'Invalid origin')
        await services.keychains.save(actor, ref, { regenerate: false, allowedOrigins: parsed.data })
        return redirectWith(context, pageOf(form, agentId), toast('success', 'Origin allowed successfully'))
      })
    default:
      return null
  }
}

function pageOf(form: FormData, agentId: string): string {
  return (pages[String(form.get('page'))] ?? paths.agentApi)(agentId)
}
