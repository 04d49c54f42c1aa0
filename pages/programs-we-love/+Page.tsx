import { createDataPage } from '#pages/dataPage.tsx'
import { setLoginOpen, useSession } from '#src/features/auth/session.ts'
import { ProgramsScreen } from '#src/features/program/ProgramsScreen.tsx'
import { channelUrl } from '#src/features/site/ircClients.ts'
import { useSite } from '#src/ui/site.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>('Programs We Love', function Programs({ data: { list, filter } }) {
  const user = useSession()
  const { irc } = useSite()

  return (
    <ProgramsScreen
      initial={list}
      filter={filter}
      user={user}
      onLogin={() => setLoginOpen(true)}
      invitation={
        <>
          Is something missing? Suggest it in <a href={channelUrl(irc, irc.channels.main)}>{irc.channels.main}</a> on
          IRC.
        </>
      }
    />
  )
})
