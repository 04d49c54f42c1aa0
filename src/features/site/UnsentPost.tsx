import { useId } from 'react'
import { t } from '#src/i18n/t.ts'
import { Field, TextArea, TextInput } from '#src/ui/Field.tsx'
import styles from './errorPage.module.css'

export type UnsentTexts = Record<'title' | 'content' | 'author' | 'links', string>

/** Shows what a browser sent without script for a board or thread that is missing, so that the author can copy it. */
export function UnsentPost({ texts: { title, content, author, links } }: { texts: UnsentTexts }) {
  const titleId = useId()
  return (
    <section className={`wrap stack ${styles.unsent}`} aria-labelledby={titleId}>
      <div>
        <h2 className="label" id={titleId}>
          {t('board.unsent')}
        </h2>
        <p className="hint">{t('board.unsentHint')}</p>
      </div>
      {title !== '' && (
        <Field label={t('field.title')}>
          <TextInput readOnly defaultValue={title} />
        </Field>
      )}
      <Field label={t('field.content')}>
        <TextArea readOnly rows={5} defaultValue={content} />
      </Field>
      {author !== '' && (
        <Field label={t('field.username')}>
          <TextInput readOnly defaultValue={author} />
        </Field>
      )}
      {links !== '' && (
        <Field label={t('field.links')}>
          <TextInput mono readOnly defaultValue={links} />
        </Field>
      )}
    </section>
  )
}
