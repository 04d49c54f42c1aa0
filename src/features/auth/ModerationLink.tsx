import type { AuthUser } from '#src/contract/auth.ts'
import { t } from '#src/i18n/t.ts'
import { useQuery } from '#src/lib/reactQuery.ts'
import { trpc } from '#src/lib/trpc.ts'
import { ButtonLink } from '#src/ui/Button.tsx'

/** Links the admin area for admins and for members who moderate a board. */
export function ModerationLink({ user: { email, role } }: { user: AuthUser }) {
  const { isSuccess } = useQuery({
    queryKey: ['moderation', email, role],
    queryFn: async () => (await trpc()).auth.moderation.query(),
    gcTime: 0,
  })
  return isSuccess ? (
    <ButtonLink href="/admin">{role === 'admin' ? t('ui.adminArea') : t('auth.moderation')}</ButtonLink>
  ) : null
}
