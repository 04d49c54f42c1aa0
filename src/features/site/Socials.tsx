import { AtSign, GitBranch } from 'lucide-react'
import { t } from '#src/i18n/t.ts'
import { IconLink } from '#src/ui/IconButton.tsx'
import { useSite } from '#src/ui/site.ts'

export function Socials() {
  const { links } = useSite()
  return (
    <>
      {links.code && <IconLink icon={GitBranch} label={t('site.sourceCode')} href={links.code} rel="me noopener" />}
      {links.microblog && (
        <IconLink icon={AtSign} label={t('site.microblog')} href={links.microblog} rel="me noopener" />
      )}
    </>
  )
}
