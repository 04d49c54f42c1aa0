import { appealUrl } from '#src/contract/appealPaths.ts'
import { useRefusal } from '#src/i18n/refusals.ts'
import { t } from '#src/i18n/t.ts'
import type { Refusal } from '#src/lib/refusal.ts'

/** Shows why a form was refused. A banned visitor can appeal in a new tab, so that the typed text stays. */
export function RefusalText({ refusal: { text, appealToken } }: { refusal: Refusal }) {
  return (
    <>
      {useRefusal(text)}
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
