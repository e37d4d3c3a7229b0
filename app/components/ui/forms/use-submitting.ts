import { useNavigation } from '@remix-run/react'

/** Whether a form of the page is being submitted. */
export function useSubmitting(): boolean {
  const navigation = useNavigation()
  return navigation.state !== 'idle' && navigation.formMethod === 'POST'
}
