import { lazy, Suspense, useState } from 'react'
import { useSession } from '#src/features/auth/session.ts'
import { ProgramsScreen } from '#src/features/program/ProgramsScreen.tsx'
import { channelUrl } from '#src/features/site/ircClients.ts'
import { useSite } from '#src/features/site/site.tsx'
import { loaded } from '../loaded.tsx'
import type { Data } from './+data.ts'

const LoginDialog = lazy(() =>
  import('#src/features/auth/LoginDialog.tsx').then(({ LoginDialog }) => ({ default: LoginDialog })),
)

export default loaded<Data>('Programs We Love', function Programs({ data: { list, filter } }) {
  const user = useSession()
  const [login, setLogin] = useState<'never' | 'open' | 'closed'>('never')
  const { irc } = useSite()

  return (
    <>
      <ProgramsScreen
        initial={list}
        filter={filter}
        user={user}
        onLogin={() => setLogin('open')}
        invitation={
          <>
            Is something missing? Suggest it in <a href={channelUrl(irc, irc.channels.main)}>{irc.channels.main}</a> on
            IRC.
          </>
        }
      />
      {login !== 'never' && (
        <Suspense fallback={null}>
          <LoginDialog open={login === 'open'} onClose={() => setLogin('closed')} />
        </Suspense>
      )}
    </>
  )
})
