import { createDataPage } from '#pages/dataPage.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { ListenerGraph } from '#src/features/show/ListenerGraph.tsx'
import { RequestList } from '#src/features/show/RequestList.tsx'
import { ScheduleEditor } from '#src/features/show/ScheduleEditor.tsx'
import { channelUrl } from '#src/features/site/JoinChat.tsx'
import { AllSources } from '#src/features/streamer/AllSources.tsx'
import { GoLiveScreen, Section } from '#src/features/streamer/GoLiveScreen.tsx'
import { OwnAccount } from '#src/features/streamer/OwnAccount.tsx'
import { OwnSources } from '#src/features/streamer/OwnSources.tsx'
import { StreamerSections } from '#src/features/streamer/StreamerSections.tsx'
import { rich, t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { useSite } from '#src/ui/site.tsx'
import type { Data } from './+data.ts'

/** The embedded station. */
const STATION_ID = 1

export default createDataPage<Data>(function GoLive({ data: { connection } }) {
  const user = useSession()
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
        <EmptyState action={<ButtonLink href="/login?next=/go-live">{t('streamer.login')}</ButtonLink>}>
          {t('streamer.loginFirst')} {contact}
        </EmptyState>
      )}
      {user && (
        <StreamerSections email={user.email} contact={contact}>
          {(own) => (
            <>
              <Section id="source" title={t('streamer.ownSource')}>
                <OwnSources own={own} />
              </Section>
              <Section id="requests" title={t('streamer.requests')}>
                <RequestList canFinish />
              </Section>
              <ScheduleEditor user={user} />
              <Section id="listeners" title={t('streamer.listeners')}>
                <ListenerGraph stationId={STATION_ID} />
              </Section>
              <Section id="account" title={t('streamer.account')}>
                <OwnAccount own={own} />
              </Section>
              <p className="hint">{rich('streamer.recordings', { link: (text) => <a href="/archive">{text}</a> })}</p>
            </>
          )}
        </StreamerSections>
      )}
      {user?.role === 'admin' && (
        <Section id="sources" title={t('streamer.allSources')}>
          <AllSources />
        </Section>
      )}
    </GoLiveScreen>
  )
})
