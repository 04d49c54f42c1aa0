import { loaded } from '#pages/loaded.tsx'
import { ArchiveScreen } from '#src/features/archive/ArchiveScreen.tsx'
import type { Playing } from '#src/features/archive/playing.ts'
import { pause, playRecording } from '#src/player/engine.ts'
import type { Data } from './+data.ts'
import { Heard } from './Heard.tsx'

// outside the page, so that hundreds of rows are not rendered anew whenever the player changes
const playing: Playing = {
  onPlay: playRecording,
  onPause: pause,
  heard: (recording, isCurrent) => <Heard recording={recording} isCurrent={isCurrent} />,
}

export default loaded<Data>('Broadcast archive', function Archive({ data }) {
  return <ArchiveScreen {...data} {...playing} />
})
