import { useState } from 'react'
import { createDataPage } from '#pages/dataPage.tsx'
import { useRequiredSession } from '#src/features/auth/session.ts'
import { channelUrl } from '#src/features/site/JoinChat.tsx'
import { GoLiveScreen } from '#src/features/streamer/GoLiveScreen.tsx'
import { rich, t } from '#src/i18n/t.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { useSite } from '#src/ui/site.ts'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import type { Data } from './+data.ts'

const importDesk = async () => (await import('./StreamerDesk.tsx')).StreamerDesk

export default createDataPage<Data>(function GoLive({ data: { connection } }) {
  const user = useRequiredSession()
  const [hasFailed, setFailed] = useState(false)
  const StreamerDesk = useLazyComponent(importDesk, user !== null && connection !== null, () => setFailed(true))
  const { irc } = useSite()
  const contact =
    user?.role === 'admin'
      ? rich('streamer.adminContact', { link: (text) => <a href="/admin/users">{text}</a> })
      : rich('streamer.contact', {
          channel: irc.channels.radio,
          link: (text) => <a href={channelUrl(irc, irc.channels.radio)}>{text}</a>,
        })

  return (
    <GoLiveScreen connection={connection}>
      {!user && (
        <EmptyState
          hint={
            <>
              {t('streamer.wantToStream')} {contact}
            </>
          }
          action={<ButtonLink href="/login?next=/go-live">{t('ui.login')}</ButtonLink>}
        >
          {t('streamer.loginFirst')}
        </EmptyState>
      )}
      {user && StreamerDesk && <StreamerDesk user={user} contact={contact} />}
      {user && !StreamerDesk && !hasFailed && (
        <p className="hint" role="status">
          {t('ui.loading')}
        </p>
      )}
      {hasFailed && <Alert>{t('streamer.accountFailed')}</Alert>}
    </GoLiveScreen>
  )
})
