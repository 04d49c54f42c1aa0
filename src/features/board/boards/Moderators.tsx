import { Shield } from 'lucide-react'
import { t } from '#src/i18n/t.ts'
import { Nick } from '#src/ui/Nick.tsx'
import { Tag } from '#src/ui/Tag.tsx'

export function Moderators({ emails }: { emails: string[] }) {
  if (emails.length === 0) return null
  return (
    <div className="cluster">
      <span className="label">{t('board.moderators')}</span>{' '}
      {emails.map((email) => (
        <Tag key={email} icon={Shield}>
          <Nick name={email.replace(/@.*/, '')} />
        </Tag>
      ))}
    </div>
  )
}
