import { Form, useNavigation } from '@remix-run/react'
import { maxPictureBytes, pictureTypes } from '../../../contract/values/limits'
import { paths } from '../../paths'
import { Avatar, type AvatarPerson } from '../avatar'
import { Button } from '../ui/button'

/** The person's picture, with a form to replace it and one to remove it. */
export function PictureForm({ user }: { user: AvatarPerson }) {
  const { formAction, formData } = useNavigation()
  const isPending = (intent: string) => formAction === paths.accountPicture() && formData?.get('intent') === intent
  return (
    <div className="flex flex-wrap items-start gap-4">
      <Avatar person={user} className="size-16 text-[1.5rem]" />
      <div className="grid min-w-0 flex-1 basis-64 grid-cols-1 gap-2">
        <Form
          method="post"
          action={paths.accountPicture()}
          encType="multipart/form-data"
          replace
          preventScrollReset
          // An uploaded file is no longer the next one to upload.
          key={user.picture}
          className="grid min-w-0 grid-cols-1 gap-2"
        >
          <label htmlFor="picture" className="font-medium">
            Picture
          </label>
          <div className="flex flex-wrap items-center gap-2">
            <input
              id="picture"
              name="picture"
              type="file"
              required
              accept={pictureTypes.join(',')}
              aria-describedby="picture-hint"
              className="min-w-0 max-w-full flex-1 basis-56 rounded-small border border-line-strong bg-surface text-meta file:mr-3 file:border-0 file:bg-sunken file:px-3 file:py-2 file:font-medium file:text-text"
            />
            <Button name="intent" value="upload" pending={isPending('upload')}>
              Upload
            </Button>
          </div>
        </Form>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p id="picture-hint" className="text-meta text-soft">
            PNG, JPEG or WebP, at most {maxPictureBytes / 1024} KB. A square one looks best.
          </p>
          {user.picture && (
            <Form method="post" action={paths.accountPicture()} replace preventScrollReset>
              <Button variant="link" name="intent" value="remove" pending={isPending('remove')} className="text-meta">
                Remove picture
              </Button>
            </Form>
          )}
        </div>
      </div>
    </div>
  )
}
