import { lazy, type ReactNode, Suspense } from 'react'

type Component<Props> = (props: Props) => ReactNode

/** A component whose script is loaded when it is first shown: a dialog, or what most visits to a page do not show. */
export function lazyComponent<Props extends object>(load: () => Promise<Component<Props>>): Component<Props> {
  const Loaded = lazy(async () => {
    const Shown = await load()
    return { default: ({ props }: { props: Props }) => <Shown {...props} /> }
  })
  return function LazyComponent(props) {
    return (
      <Suspense>
        <Loaded props={props} />
      </Suspense>
    )
  }
}
