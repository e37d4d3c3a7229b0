import { CopyButton } from '../../copy-button'
import { LinkButton } from '../../ui/button'
import { Dialog } from '../../ui/dialogs/dialog'

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, closeTo }: { codes: string[]; closeTo: string }) {
  return (
    <Dialog
      title="Save your recovery codes"
      description="They are not shown again. If you lose your device, each of them logs you in once, after your password."
      closeTo={closeTo}
    >
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1 font-mono" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-3 flex items-center gap-1 text-soft">
        <CopyButton text={codes.join('\n')} />
        <span>Copy all, and keep them where you keep passwords.</span>
      </div>
      <div className="mt-5 flex justify-end">
        <LinkButton to={closeTo} replace preventScrollReset variant="primary">
          Done
        </LinkButton>
      </div>
    </Dialog>
  )
}
