import type { ReactNode } from 'react'
import type { AuthUser } from '#src/contract/auth.ts'
import { ListenerGraph } from '#src/features/show/ListenerGraph.tsx'
import { type LoadedQueue, RequestRows } from '#src/features/show/RequestRows.tsx'
import { ScheduleEditor } from '#src/features/show/ScheduleEditor.tsx'
import { AllSources } from '#src/features/streamer/AllSources.tsx'
import { Section } from '#src/features/streamer/GoLiveScreen.tsx'
import { OwnAccount } from '#src/features/streamer/OwnAccount.tsx'
import { OwnSources } from '#src/features/streamer/OwnSources.tsx'
import { StreamerSections } from '#src/features/streamer/StreamerSections.tsx'
import { rich, t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { errorCode } from '#src/lib/trpc.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'

/** The embedded station. */
const STATION_ID = 1

/** The parts of a logged-in user. Its code is loaded for these only. */
export function StreamerDesk({ user, contact }: { user: AuthUser; contact: ReactNode }) {
  return (
    <>
      <StreamerSections email={user.email} contact={contact}>
        {(own) => (
          <>
            <Section id="source" title={t('streamer.ownSource')}>
              <OwnSources own={own} />
            </Section>
            <Section id="requests" title={t('streamer.requests')}>
              <Requests />
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
      {user.role === 'admin' && (
        <Section id="sources" title={t('streamer.allSources')}>
          <AllSources />
        </Section>
      )}
    </>
  )
}

/** Loads the waiting requests. Shows a text if the station takes no requests. */
function Requests() {
  const query = usePrivateQuery<LoadedQueue>(['song-requests'], ({ songRequest }) => songRequest.list.query())
  if (errorCode(query.error) === 'NOT_FOUND') return <p className="hint">{t('radio.requestOff')}</p>
  return (
    <QueryResult query={query} failed={t('show.requestsFailed')}>
      {(queue) => <RequestRows initial={queue} canFinish />}
    </QueryResult>
  )
}
