import { Newspaper } from 'lucide-react'
import { NEWS_PATH } from '#src/contract/news.ts'
import { Notice } from '#src/features/site/Notice.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'

export default function Page() {
  return (
    <Notice
      label="Coming Soon"
      title="Debauched Blog"
      hint="We’d rather publish late than publish filler. Meanwhile, read what others wrote."
      action={
        <ButtonLink variant="primary" href={NEWS_PATH}>
          <Newspaper className="icon" />
          Today in Tech
        </ButtonLink>
      }
    />
  )
}
