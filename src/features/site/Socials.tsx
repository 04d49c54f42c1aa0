import { AtSign, GitBranch } from 'lucide-react'
import { IconLink } from '#src/ui/IconButton.tsx'
import { useSite } from './site.tsx'

export function Socials() {
  const { links } = useSite()
  return (
    <>
      <IconLink icon={GitBranch} label="Source code" href={links.code} rel="me noopener" />
      <IconLink icon={AtSign} label="Microblog" href={links.microblog} rel="me noopener" />
    </>
  )
}
