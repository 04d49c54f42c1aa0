import { ArrowUpRight } from 'lucide-react'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { useSite } from '#src/ui/site.tsx'

export function JoinChat() {
  const { chatUrl } = useSite()
  if (chatUrl === null) return null
  return (
    <ButtonLink variant="primary" size="big" href={chatUrl} target="_blank" rel="noopener">
      {t('site.joinChat')}
      <ArrowUpRight className="icon" />
      <span className="visually-hidden">{` ${t('ui.newTab')}`}</span>
    </ButtonLink>
  )
}
