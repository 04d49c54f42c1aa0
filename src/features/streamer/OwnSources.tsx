import type { OwnStreamer } from '#src/contract/streamer.ts'
import { t } from '#src/i18n/t.ts'
import { usePlayer } from '#src/player/store.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import { NowOnAir } from './NowOnAir.tsx'
import { RefusedSources } from './RefusedSources.tsx'
import { SourcePanel } from './SourcePanel.tsx'
import sections from './sections.module.css'
import { disconnect, type SourceView } from './sourceCalls.ts'
import { useSources } from './useSources.ts'

/** The level test, and the state of the streamer's own sources. */
export function OwnSources({ own: { name } }: { own: OwnStreamer }) {
  const query = useSources()
  const { nowPlaying } = usePlayer()
  const { dialog, askToDelete } = useDeletion()
  const onAir = nowPlaying?.live.isLive ? nowPlaying.live.streamer : null

  function askToDisconnect({ id, state }: SourceView) {
    const deletion = {
      title: t('streamer.disconnectOwnQuestion'),
      text: state === 'on-air' ? t('streamer.disconnectOnAirText') : t('streamer.disconnectOwnText'),
      verb: t('streamer.disconnect'),
      failed: t('streamer.sourceFailed'),
      done: t('streamer.disconnected'),
      run: () => disconnect(id),
    }
    void askToDelete(deletion, () => void query.refetch())
  }

  return (
    <>
      <QueryResult query={query} failed={t('streamer.sourcesFailed')}>
        {(sources) => {
          const ownSources = sources.filter(({ streamer }) => streamer.name === name)
          return (
            <div className={sections.stack}>
              {query.isError && (
                <p className={sections.outdated} role="status">
                  {t('streamer.outdated')}
                </p>
              )}
              <RefusedSources sources={ownSources} />
              {ownSources.map((source) => (
                <SourcePanel
                  key={source.id}
                  source={source}
                  onAir={onAir}
                  onDisconnect={() => askToDisconnect(source)}
                />
              ))}
              {ownSources.length === 0 && (
                <p className={sections.text} role="status">
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
