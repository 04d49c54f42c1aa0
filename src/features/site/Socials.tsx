import { AtSign, GitBranch } from 'lucide-react'
import { IconLink } from '#src/ui/IconButton.tsx'
import { useSite } from '#src/ui/site.tsx'

export function Socials() {
  const { links } = useSite()
  return (
    <>
      {links.code && <IconLink icon={GitBranch} label="Source code" href={links.code} rel="me noopener" />}
      {links.microblog && <IconLink icon={AtSign} label="Microblog" href={links.microblog} rel="me noopener" />}
    </>
  )
}
