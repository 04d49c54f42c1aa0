import { createDataPage } from '#pages/dataPage.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { HeldPostScreen, PostScreen } from '#src/features/board/writing/PostScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function PostPage({ data: { place, held, form } }) {
  const user = useSession()
  if (held) return <HeldPostScreen place={place} held={held} />
  const { board, thread, answered } = place
  return <PostScreen key={[board.id, thread?.id, answered?.id].join()} place={place} form={form} user={user} />
})
