import type { NowPlaying } from '#src/contract/radio.ts'
import type { OwnStreamer } from '#src/contract/streamer.ts'
import { formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { usePlayer } from '#src/player/store.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { Facts } from '#src/ui/admin/Rows.tsx'
import { useActions } from '#src/ui/admin/useActions.tsx'
import { SourcePanel } from './SourcePanel.tsx'
import { disconnect, formatTitle, type SourceView, useRefusedSources, useSources } from './sources.ts'

/** The level test, and the state of the streamer's own sources. */
export function OwnSources({ own: { name } }: { own: OwnStreamer }) {
  const query = useSources()
  const { nowPlaying } = usePlayer()
  const { deletion, dialog } = useActions(query.refetch)
  const onAir = nowPlaying?.live.isLive ? nowPlaying.live.streamer : null

  return (
    <>
      <QueryResult query={query} failed={t('streamer.sourcesFailed')}>
        {(sources) => {
          const ownSources = sources.filter(({ streamer }) => streamer.name === name)
          return (
            <div className="stack">
              <RefusedSources sources={ownSources} />
              {ownSources.map((source) => (
                <SourcePanel
                  key={source.id}
                  source={source}
                  onAir={onAir}
                  onDisconnect={deletion(describeDisconnection(source)).onClick}
                />
              ))}
              {ownSources.length === 0 && (
                <p className="quiet" role="status">
                  {t('streamer.noOwnSource')}
                </p>
              )}
            </div>
          )
        }}
      </QueryResult>
      <NowOnAir nowPlaying={nowPlaying} />
      {dialog}
    </>
  )
}

const describeDisconnection = ({ id, state }: SourceView) => ({
  title: t('streamer.disconnectOwnQuestion'),
  text: state === 'on-air' ? t('streamer.disconnectOnAirText') : t('streamer.disconnectOwnText'),
  verb: t('streamer.disconnect'),
  failed: t('streamer.sourceFailed'),
  done: t('streamer.disconnected'),
  run: () => disconnect(id),
})

/** Shows the current sound of the station. */
function NowOnAir({ nowPlaying }: { nowPlaying: NowPlaying | null }) {
  if (!nowPlaying?.available) return null
  const { live, song, listeners } = nowPlaying
  return (
    <Facts
      facts={[
        [t('player.onAir'), live.isLive ? live.streamer : t('streamer.station')],
        [t('field.title'), formatTitle(song)],
        [t('show.listeners'), formatNumber(listeners.current)],
      ]}
    />
  )
}

/** Names the programs that were refused, until they are connected: most of them do not show the site's answer. */
function RefusedSources({ sources }: { sources: SourceView[] }) {
  const { data = [] } = useRefusedSources()
  const refused = data.filter((one) => sources.every(({ client }) => client !== one.client))
  return refused.map(({ client, reason, attempts }) => {
    const values = { program: client || t('ui.unknown'), attempts }
    return (
      <Alert key={reason + client}>
        {reason === 'sound' ? t('radio.refusedSound', values) : t('radio.refusedSource', values)}
      </Alert>
    )
  })
}
