import { useSearchParams } from '@remix-run/react'
import type { EmbeddingModelView } from '../../../contract/views/embedding-model'
import { CopyButton } from '../copy-button'
import { withQuery } from '../ui/browser/query'
import { LinkButton } from '../ui/button'
import { Notice } from '../ui/feedback/notice'
import { weakLanguageAdvice } from './embedding-model-texts'

/** Tells that the embedding model does not know the language of a collection, with the remedy. */
export function WeakLanguageNotice({ model, mayEdit }: { model: EmbeddingModelView; mayEdit: boolean }) {
  const [search] = useSearchParams()
  const advice = weakLanguageAdvice(model)
  if (!advice) return null
  return (
    <Notice
      kind="warning"
      title={advice.title}
      className="mb-5"
      action={
        mayEdit && advice.command === null ? (
          <LinkButton to={withQuery(search, { dialog: 'embedding-model' })} preventScrollReset>
            Choose a model
          </LinkButton>
        ) : undefined
      }
    >
      {advice.command !== null && (
        <p className="flex flex-wrap items-center gap-x-1">
          Whoever operates this server can install one: <code className="wrap-anywhere">{advice.command}</code>
          <CopyButton text={advice.command} />
        </p>
      )}
    </Notice>
  )
}
