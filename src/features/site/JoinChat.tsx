import { ArrowUpRight } from 'lucide-react'
import { ButtonLink } from '#src/ui/Button.tsx'
import { useSite } from './site.tsx'

export function JoinChat() {
  return (
    <ButtonLink variant="primary" size="big" href={useSite().chatUrl} target="_blank" rel="noopener">
      Join Chat
      <ArrowUpRight className="icon" />
      <span className="visually-hidden">(opens in a new tab)</span>
    </ButtonLink>
  )
}
