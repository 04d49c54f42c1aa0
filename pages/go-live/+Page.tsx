import { createDataPage } from '#pages/dataPage.tsx'
import type { AuthUser } from '#src/contract/auth.ts'
import { useSession } from '#src/features/auth/session.ts'
import { channelUrl } from '#src/features/site/ircClients.ts'
import { GoLiveScreen } from '#src/features/streamer/GoLiveScreen.tsx'
import { LazySection } from '#src/features/streamer/LazySection.tsx'
import { StreamerSections } from '#src/features/streamer/StreamerSections.tsx'
import { rich, t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { useSite } from '#src/ui/site.tsx'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import type { Data } from './+data.ts'

/** The embedded station. */
const STATION_ID = 1

const loadOwnSources = () => import('#src/features/streamer/OwnSources.tsx').then((module) => module.OwnSources)
const loadOwnAccount = () => import('#src/features/streamer/OwnAccount.tsx').then((module) => module.OwnAccount)
const loadRequests = () => import('#src/features/show/RequestList.tsx').then((module) => module.RequestList)
const loadSchedule = () => import('#src/features/show/ScheduleEditor.tsx').then((module) => module.ScheduleEditor)
const loadListeners = () => import('#src/features/show/ListenerGraph.tsx').then((module) => module.ListenerGraph)
const loadAllSources = () => import('#src/features/streamer/AllSources.tsx').then((module) => module.AllSources)

/** Has its own heading, because the schedule shows it too. */
function OwnShows({ user }: { user: AuthUser }) {
  const ScheduleEditor = useLazyComponent(loadSchedule, true)
  return ScheduleEditor && <ScheduleEditor user={user} />
}

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
              <LazySection id="source" title={t('streamer.ownSource')} load={loadOwnSources} props={{ own }} />
              <LazySection
                id="requests"
                title={t('streamer.requests')}
                load={loadRequests}
                props={{ canFinish: true }}
              />
              <OwnShows user={user} />
              <LazySection
                id="listeners"
                title={t('streamer.listeners')}
                load={loadListeners}
                props={{ stationId: STATION_ID }}
              />
              <LazySection id="account" title={t('streamer.account')} load={loadOwnAccount} props={{ own }} />
              <p className="hint">{rich('streamer.recordings', { link: (text) => <a href="/archive">{text}</a> })}</p>
            </>
          )}
        </StreamerSections>
      )}
      {user?.role === 'admin' && (
        <LazySection id="sources" title={t('streamer.allSources')} load={loadAllSources} props={{}} />
      )}
    </GoLiveScreen>
  )
})
