import { parseWithZod } from '@conform-to/zod/v4'
import { data } from '@remix-run/node'
import { type ConnectionTest, connectionTestSchema } from '../../../contract/chat/agent'
import type { ConnectionView } from '../../../contract/views/chat/agent'
import { isAppError } from '../../../server/errors'
import type { Notification } from '../../components/notifications/notification'
import type { DashboardCall } from '../session/dashboard.server'

/** The fields of keys, which are not sent back. */
const secrets = ['provider_key', 'default_agent_provider_key']

/**
 * Tests the provider, the model and the key of a form that is not saved. An invalid form is a failed test. `result` keeps
 * what was entered, for forms that are sent without a script.
 */
export async function testConnection(
  { context }: Pick<DashboardCall, 'context'>,
  form: FormData,
  test: (input: ConnectionTest) => Promise<ConnectionView>,
) {
  const submission = parseWithZod(form, { schema: connectionTestSchema, disableAutoCoercion: true })
  const respond = (connection: ConnectionView) => {
    const result = submission.reply({ hideFields: secrets })
    return data({ connection, result, notifications: [] as Notification[] })
  }
  if (submission.status !== 'success') {
    const [first] = Object.values(submission.error ?? {}).flat()
    return respond({ ok: false, message: first ?? 'Choose a provider and a model.' })
  }
  try {
    const { ok, message } = await test(submission.value)
    return respond({ ok, message })
  } catch (error) {
    if (!isAppError(error)) context.report(error, 'A test of a connection failed')
    const message = isAppError(error) ? error.message : 'Please try again later. Contact support if issue persists.'
    return respond({ ok: false, message })
  }
}
