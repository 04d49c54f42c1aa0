import { ArrowUpRight } from 'lucide-react'
import { ButtonLink } from '#src/ui/Button.tsx'
import { useSite } from '#src/ui/site.tsx'

export function JoinChat() {
  const { chatUrl } = useSite()
  if (chatUrl === null) return null
  return (
    <ButtonLink variant="primary" size="big" href={chatUrl} target="_blank" rel="noopener">
      Join Chat
      <ArrowUpRight className="icon" />
      <span className="visually-hidden">(opens in a new tab)</span>
    </ButtonLink>
  )
}
