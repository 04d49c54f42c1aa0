import type { FormEvent } from 'react'
import { NEWS_PATH } from '#src/contract/news.ts'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import styles from './PageJump.module.css'

type PageJumpProps = { page: number; totalPages: number; source: string | null; onJump: (page: number) => void }

export function PageJump({ page, totalPages, source, onJump }: PageJumpProps) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onJump(Number(new FormData(event.currentTarget).get('page')))
  }

  return (
    <form className={styles.jump} action={NEWS_PATH} onSubmit={submit}>
      <Field label={t('news.goToPage')}>
        <TextInput
          key={page}
          mono
          className={styles.number}
          type="number"
          name="page"
          inputMode="numeric"
          min={1}
          max={totalPages}
          required
          defaultValue={page}
        />
      </Field>
      {source !== null && <input type="hidden" name="source" value={source} />}
      <Button size="small" type="submit" native>
        {t('news.go')}
      </Button>
    </form>
  )
}
