import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { maxLogoBytes } from '../../../../contract/values/limits'
import { AppError, isAppError } from '../../../../server/errors'
import { toast } from '../../../components/notifications/notification'
import { readFormWithFiles } from '../../../http/body.server'
import { redirectWith } from '../../../http/cookies/notifications.server'
import { redirectWithError } from '../../../http/forms/redirect-with-error.server'
import { requireParam, unreadAction } from '../../../http/session/dashboard.server'
import { takeShown } from '../../../http/session/shown-organization.server'
import { paths } from '../../../paths'

/** Replaces the logo of an agent, or removes it. */
export function action(args: ActionFunctionArgs) {
  const agentId = requireParam(args.params.agentId)
  const back = paths.agentWidget(agentId)
  return unreadAction(args, async ({ services, actor, organizationId, url, context }) => {
    const ref = { organizationId, agentId }
    return redirectWithError('Failed to save logo', { url: new URL(back, url), context }, async () => {
      const form = await readFormWithFiles(args.request).catch(orTooLarge)
      takeShown(form, organizationId)
      if (form.get('intent') === 'remove') {
        await services.logos.remove(actor, ref)
        return redirectWith(context, back, toast('success', 'Logo removed'))
      }
      const file = form.get('logo')
      if (!(file instanceof Blob) || file.size === 0) throw new AppError('invalid_input', 'Choose a picture.')
      await services.logos.save(actor, ref, new Uint8Array(await file.arrayBuffer()))
      return redirectWith(context, back, toast('success', 'Logo saved'))
    })
  })
}

export function loader({ params }: LoaderFunctionArgs) {
  return redirect(paths.agentWidget(requireParam(params.agentId)))
}

/** The limit of the whole body would say nothing to the person. */
function orTooLarge(error: unknown): never {
  if (!isAppError(error) || error.code !== 'too_large') throw error
  throw new AppError('too_large', `A logo can have at most ${maxLogoBytes / 1024} KB.`)
}
