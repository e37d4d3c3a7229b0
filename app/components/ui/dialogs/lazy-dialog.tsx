import { lazy, type ReactNode, Suspense } from 'react'

type Component<Props> = (props: Props) => ReactNode

/** A dialog whose script is loaded when it opens: most visits to a page open none. */
export function lazyDialog<Props extends object>(load: () => Promise<Component<Props>>): Component<Props> {
  const Loaded = lazy(async () => {
    const Dialog = await load()
    return { default: ({ props }: { props: Props }) => <Dialog {...props} /> }
  })
  return function LazyDialog(props) {
    return (
      <Suspense>
        <Loaded props={props} />
      </Suspense>
    )
  }
}
