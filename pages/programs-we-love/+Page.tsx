import { createDataPage } from '#pages/dataPage.tsx'
import { setLoginOpen, useSession } from '#src/features/auth/session.ts'
import { ProgramsScreen } from '#src/features/program/ProgramsScreen.tsx'
import { channelUrl } from '#src/features/site/JoinChat.tsx'
import { rich } from '#src/i18n/t.ts'
import { useSite } from '#src/ui/site.ts'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Programs({ data: { list, filter } }) {
  const user = useSession()
  const { irc } = useSite()

  return (
    <ProgramsScreen
      initial={list}
      filter={filter}
      user={user}
      onLogin={() => setLoginOpen(true)}
      invitation={rich('program.invitation', {
        channel: irc.channels.main,
        link: (text) => <a href={channelUrl(irc, irc.channels.main)}>{text}</a>,
      })}
    />
  )
})
