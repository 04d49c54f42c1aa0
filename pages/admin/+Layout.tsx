import type { ReactNode } from 'react'
import { usePageContext } from 'vike-react/usePageContext'
import { AdminShell } from '#src/features/admin/AdminShell.tsx'
import { useRequiredSession } from '#src/features/auth/session.ts'
import { useWaiting } from '#src/features/moderation/waiting.ts'

export default function Layout({ children }: { children: ReactNode }) {
  const { urlPathname } = usePageContext()
  return (
    <AdminShell path={urlPathname} user={useRequiredSession()} waiting={useWaiting()?.count ?? 0}>
      {children}
    </AdminShell>
  )
}
