import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText } from '#src/lib/trpc.ts'
import { Alert } from './Alert.tsx'
import { Button, ButtonLink } from './Button.tsx'
import styles from './DeletePanel.module.css'
import { Done, MultipartForm } from './MultipartForm.tsx'

const nouns = {
  image: {
    button: () => t('ui.deleteImage'),
    done: () => t('ui.imageDeleted'),
    back: () => t('ui.backToImageSharing'),
    href: '/image-sharing',
  },
  paste: {
    button: () => t('ui.deletePaste'),
    done: () => t('ui.pasteDeleted'),
    back: () => t('ui.backToPasteService'),
    href: '/paste-service',
  },
}
type Noun = keyof typeof nouns

type DeletePanelProps = {
  noun: Noun
  /** URL of the documented call, which gets `token` from browsers without script */
  action: string
  token: string
  /** why the call refused the form */
  refusal: string | undefined
  onDelete: () => Promise<unknown>
  onDeleted: () => void
  /** message if the server does not give a reason */
  failedText: string
  keepHref: string
  children: ReactNode
}

/** Asks for confirmation, because opening a delete link must not delete anything. */
export function DeletePanel({
  noun,
  action,
  token,
  onDelete,
  onDeleted,
  failedText,
  keepHref,
  ...rest
}: DeletePanelProps) {
  const deletion = useMutation({ mutationFn: onDelete, onSuccess: onDeleted })
  const refusal = deletion.isError ? errorText(deletion.error, failedText) : rest.refusal

  return (
    <MultipartForm
      className={`stack ${styles.panel}`}
      action={action}
      onSubmit={() => deletion.isPending || deletion.mutate()}
    >
      {refusal && <Alert>{refusal}</Alert>}
      {rest.children}
      <input type="hidden" name="token" value={token} />
      <div className="cluster">
        <Button native type="submit" variant="danger" busy={deletion.isPending}>
          <Trash2 className="icon" />
          {nouns[noun].button()}
        </Button>
        <ButtonLink href={keepHref}>{t('ui.keepIt')}</ButtonLink>
      </div>
    </MultipartForm>
  )
}

export function Deleted({ noun }: { noun: Noun }) {
  const { done, back, href } = nouns[noun]
  return (
    <div className={`stack ${styles.panel}`}>
      <Done>{done()}</Done>
      <p>
        <ButtonLink href={href}>{back()}</ButtonLink>
      </p>
    </div>
  )
}
