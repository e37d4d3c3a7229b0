import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { maxPictureBytes } from '../../../contract/values/limits'
import { AppError, isAppError } from '../../../server/errors'
import { toast } from '../../components/notifications/notification'
import { readFormWithFiles } from '../../http/body.server'
import { redirectWith } from '../../http/cookies/notifications.server'
import { redirectWithError } from '../../http/forms/redirect-with-error.server'
import { unreadAction } from '../../http/session/dashboard.server'
import { paths } from '../../paths'

/** Replaces the person's picture, or removes it. */
export function action(args: ActionFunctionArgs) {
  return unreadAction(args, ({ services, actor, url, context }) =>
    redirectWithError('Failed to save picture', { url: new URL(paths.account(), url), context }, async () => {
      const form = await readFormWithFiles(args.request).catch(orTooLarge)
      if (form.get('intent') === 'remove') {
        await services.pictures.remove(actor)
        return redirectWith(context, paths.account(), toast('success', 'Picture removed'))
      }
      const file = form.get('picture')
      if (!(file instanceof Blob) || file.size === 0) throw new AppError('invalid_input', 'Choose a picture.')
      await services.pictures.save(actor, new Uint8Array(await file.arrayBuffer()))
      return redirectWith(context, paths.account(), toast('success', 'Picture saved'))
    }),
  )
}

export function loader() {
  return redirect(paths.account())
}

/** The limit of the whole body would say nothing to the person. */
function orTooLarge(error: unknown): never {
  if (!isAppError(error) || error.code !== 'too_large') throw error
  throw new AppError('too_large', `A picture can have at most ${maxPictureBytes / 1024} KB.`)
}
