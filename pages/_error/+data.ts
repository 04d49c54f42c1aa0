import type { PageContextServer } from 'vike/types'
import { withoutSecret } from '#src/contract/authorName.ts'
import type { SubmittedForm } from '#src/contract/forms.ts'
import type { UnsentTexts } from '#src/features/site/UnsentPost.tsx'

export type Data = Awaited<ReturnType<typeof data>>

/** Runs only for pages that the server renders. */
export const data = async ({ submittedForm }: PageContextServer) => ({
  unsent: submittedForm ? readPostTexts(submittedForm) : null,
})

/** Returns null for the forms of other pages. */
function readPostTexts({ fields }: SubmittedForm): UnsentTexts | null {
  const { title = '', content, author = '', links = '' } = fields
  if (content === undefined) return null
  // The page must not contain the secret behind a name.
  return { title, content, author: withoutSecret(author), links }
}
