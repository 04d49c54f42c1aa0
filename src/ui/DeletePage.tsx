import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText } from '#src/lib/trpc.ts'
import { Alert } from './Alert.tsx'
import { Button, ButtonLink } from './Button.tsx'
import styles from './DeletePage.module.css'
import { Done, MultipartForm } from './MultipartForm.tsx'
import { PageHeader } from './PageHeader.tsx'

const listTexts = () => ({
  image: {
    service: { label: t('site.imageSharing'), href: '/image-sharing' },
    question: t('image.deleteQuestion'),
    warning: t('image.deleteWarning'),
    button: t('ui.deleteImage'),
    failed: t('image.deleteShareFailed'),
    deleted: t('action.deleteImageDone'),
    done: t('ui.imageDeleted'),
    back: t('ui.backToImageSharing'),
  },
  paste: {
    service: { label: t('site.pasteService'), href: '/paste-service' },
    question: t('paste.deleteQuestion'),
    warning: t('paste.deleteWarning'),
    button: t('ui.deletePaste'),
    failed: t('paste.deleteFailed'),
    deleted: t('paste.deletedTitle'),
    done: t('ui.pasteDeleted'),
    back: t('ui.backToPasteService'),
  },
})

type DeleteForm = {
  /** URL of the documented call, which gets `token` from browsers without script */
  action: string
  token: string
  /** why the call refused the form */
  refusal?: string | undefined
  onDelete: () => Promise<unknown>
  keepHref: string
  /** shows what is deleted */
  children: ReactNode
}

type DeletePageProps = {
  noun: 'image' | 'paste'
  /** null once it is deleted */
  form: DeleteForm | null
  /** takes the place of the form if its data did not load */
  failure?: ReactNode
}

/** Asks for confirmation, because opening a delete link must not delete anything. */
export function DeletePage({ noun, form, failure }: DeletePageProps) {
  const texts = listTexts()[noun]
  const deletion = useMutation({ mutationFn: async () => form?.onDelete() })
  const isDeleted = !failure && (form === null || deletion.isSuccess)
  const refusal = deletion.isError ? errorText(deletion.error, texts.failed) : form?.refusal
  return (
    <div className="wrap">
      <PageHeader
        title={isDeleted ? texts.deleted : texts.question}
        trail={[texts.service, { label: t('ui.delete') }]}
      />
      {failure}
      {isDeleted && (
        <div className={`stack ${styles.panel}`}>
          <Done>{texts.done}</Done>
          <p>
            <ButtonLink href={texts.service.href}>{texts.back}</ButtonLink>
          </p>
        </div>
      )}
      {form && !isDeleted && (
        <MultipartForm
          className={`stack ${styles.panel}`}
          action={form.action}
          onSubmit={() => deletion.isPending || deletion.mutate()}
        >
          {refusal && <Alert>{refusal}</Alert>}
          {form.children}
          <p>{texts.warning}</p>
          <input type="hidden" name="token" value={form.token} />
          <div className="cluster">
            <Button native type="submit" variant="danger" busy={deletion.isPending}>
              <Trash2 className="icon" />
              {texts.button}
            </Button>
            <ButtonLink href={form.keepHref}>{t('ui.keepIt')}</ButtonLink>
          </div>
        </MultipartForm>
      )}
    </div>
  )
}
