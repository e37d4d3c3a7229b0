import { useNavigation } from '@remix-run/react'
import { maxLogoBytes, pictureTypes } from '../../../contract/values/limits'
import { paths } from '../../paths'
import { Button } from '../ui/button'
import { OrganizationForm } from '../ui/forms/organization-form'

interface LogoFieldProps {
  agentId: string
  /** Path of the picture; null without one. */
  logo: string | null
}

const formId = 'widget-logo'

/** The logo of the agent. Its fields belong to the form of `LogoForm`, which stands outside the form around them. */
export function LogoField({ agentId, logo }: LogoFieldProps) {
  const { formAction, formData } = useNavigation()
  const isPending = (intent: string) => formAction === paths.agentLogo(agentId) && formData?.get('intent') === intent
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1">
      <label htmlFor="logo" className="font-medium">
        Logo
        <span className="ml-1.5 font-normal text-meta text-soft">optional</span>
      </label>
      <div className="flex flex-wrap items-center gap-2">
        {logo && <img src={logo} alt="The logo" className="size-9 rounded-small border border-line object-contain" />}
        <input
          id="logo"
          key={logo}
          name="logo"
          type="file"
          form={formId}
          required
          accept={[...pictureTypes, 'image/svg+xml'].join(',')}
          aria-describedby="logo-hint"
          className="min-w-0 max-w-full flex-1 basis-48 rounded-small border border-line-strong bg-surface text-meta file:mr-3 file:border-0 file:bg-sunken file:px-3 file:py-2 file:font-medium file:text-text"
        />
        <Button form={formId} name="intent" value="upload" pending={isPending('upload')}>
          Upload
        </Button>
        {logo && (
          <Button
            variant="quiet"
            form={formId}
            formNoValidate
            name="intent"
            value="remove"
            pending={isPending('remove')}
          >
            Remove
          </Button>
        )}
      </div>
      <p id="logo-hint" className="text-meta text-soft">
        Square, PNG, JPEG, WebP or SVG, {maxLogoBytes / 1024} KB at most. Saved at once.
      </p>
    </div>
  )
}

export function LogoForm({ agentId }: { agentId: string }) {
  return (
    <OrganizationForm
      id={formId}
      action={paths.agentLogo(agentId)}
      encType="multipart/form-data"
      replace
      preventScrollReset
      hidden
    />
  )
}
