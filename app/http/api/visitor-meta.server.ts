import type { AppLoadContext } from '@remix-run/node'
import type { ChatMeta } from '../../../server/services/chat/chat-store'
import { visitorLanguage } from '../session/visitor-language.server'

/** What a chat stores about the visitor who asks. */
export function visitorMeta({ clientIp }: Pick<AppLoadContext, 'clientIp'>, request: Request): ChatMeta {
  return {
    origin: request.headers.get('origin'),
    ip: clientIp,
    userAgent: request.headers.get('user-agent'),
    language: visitorLanguage(request),
  }
}
