import type { OwnStreamer } from '#src/contract/streamer.ts'
import { streamerMessages } from '#src/contract/streamer.ts'
import { usePlayer } from '#src/player/store.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import { NowOnAir } from './NowOnAir.tsx'
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
    const describe = async () => ({
      title: 'Disconnect your source?',
      text: state === 'on-air' ? 'Your broadcast ends, and the station plays.' : 'Your program may connect again.',
      verb: 'Disconnect',
      failed: streamerMessages.sourceFailed,
      done: 'Source disconnected',
      run: () => disconnect(id),
    })
    void askToDelete(describe, () => void query.refetch())
  }

  return (
    <>
      <QueryResult query={query} failed={streamerMessages.sources}>
        {(sources) => {
          const ownSources = sources.filter(({ streamer }) => streamer.name === name)
          return (
            <div className={sections.stack}>
              {query.isError && (
                <p className={sections.outdated} role="status">
                  The site does not answer. These are the last values.
                </p>
              )}
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
                  No source is connected. To test your level, let your program connect to the test mount: nobody hears
                  it. Level, format and title then show here.
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
