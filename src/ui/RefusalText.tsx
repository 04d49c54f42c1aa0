import { appealUrl } from '#src/contract/bans.ts'
import type { FormRefusal } from '#src/contract/forms.ts'
import { t } from '#src/i18n/t.ts'

/** Shows why a form was refused. A banned visitor can appeal in a new tab, so that the typed text stays. */
export function RefusalText({ refusal: { text, appealToken } }: { refusal: FormRefusal }) {
  return (
    <>
      {text}
      {appealToken && (
        <>
          {' '}
          <a href={appealUrl(appealToken)} target="_blank" rel="noopener nofollow">
            {t('ui.appealBan')}
          </a>
        </>
      )}
    </>
  )
}
