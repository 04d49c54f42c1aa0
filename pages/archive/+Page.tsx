import { reload } from 'vike/client/router'
import { createDataPage } from '#pages/dataPage.tsx'
import { ArchiveScreen } from '#src/features/archive/ArchiveScreen.tsx'
import type { PlaybackProps } from '#src/features/archive/recording.ts'
import { useSession } from '#src/features/auth/session.ts'
import { useEvents } from '#src/lib/useEvents.ts'
import { pause, playRecording } from '#src/player/engine.ts'
import type { Data } from './+data.ts'
import { ListeningProgress } from './ListeningProgress.tsx'

// A constant, so that hundreds of memoized rows do not re-render whenever the player does.
const playing: PlaybackProps = {
  onPlay: playRecording,
  onPause: pause,
  renderProgress: (recording, isCurrent) => <ListeningProgress recording={recording} isCurrent={isCurrent} />,
}

export default createDataPage<Data>(function Archive({ data: { lastEventId, ...data } }) {
  const user = useSession()
  useEvents({
    topics: ['shows'],
    lastEventId,
    onEvent: ({ change }, refetchSoon) => change.kind === 'broadcast' && refetchSoon(),
    refetch: async () => {
      const { queryClient } = await import('#src/lib/reactQuery.ts')
      await Promise.all([reload(), queryClient.invalidateQueries({ queryKey: ['broadcasts'] })])
    },
  })
  return <ArchiveScreen {...data} user={user} {...playing} />
})
