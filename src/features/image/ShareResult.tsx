import { ExternalLink } from 'lucide-react'
import { type CreatedImageShare, imageMessages } from '#src/contract/image.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { ResultPanel } from '#src/ui/ResultPanel.tsx'

export function ShareResult({ shared }: { shared: CreatedImageShare }) {
  return (
    <ResultPanel noun="image" result={shared} message={imageMessages.uploaded} urlLabel="Image URL" copyLabel="Copy">
      <ButtonLink href={new URL(shared.url).pathname}>
        <ExternalLink className="icon" />
        View
      </ButtonLink>
    </ResultPanel>
  )
}
