import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { NewPassword, UserView } from '#src/contract/user.ts'
import { userMessages } from '#src/contract/userForms.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { trpc } from '#src/lib/trpc.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Row, Rows } from '#src/ui/admin/Rows.tsx'
import { useActions } from '#src/ui/admin/useActions.tsx'
import { Button } from '#src/ui/Button.tsx'
import { prepareNeighbourFocus } from '#src/ui/focus.ts'
import { Time } from '#src/ui/Time.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import { NewPasswordDialog } from './NewPasswordDialog.tsx'
import styles from './screens.module.css'
import { UserDialog } from './UserDialog.tsx'
import { useStreamerDialog } from './useStreamerDialog.tsx'

export function UsersScreen({ ownEmail }: { ownEmail: string | undefined }) {
  const query = usePrivateQuery(['users'], (client) => client.auth.users.list.query())
  const { act, busyKey, alert } = useActions(query.refetch)
  const { dialog: confirmation, askToDelete } = useDeletion()
  const [isAdding, setAdding] = useState(false)
  const [password, setPassword] = useState<NewPassword | null>(null)
  const [streamPassword, setStreamPassword] = useState<NewPassword | null>(null)
  const { dialog: streamerDialog, open: openStreamer } = useStreamerDialog({
    askToDelete,
    onChanged: () => void query.refetch(),
    onPassword: (created) => {
      setStreamPassword(created)
      void query.refetch()
    },
  })

  function showPassword(created: NewPassword) {
    setAdding(false)
    setPassword(created)
    void query.refetch()
  }

  function askForNewPassword({ email }: UserView) {
    let renewed: NewPassword | undefined
    const describe = async () => ({
      title: 'New password?',
      text: `${email} gets a generated password. The old password stops working, and all sessions of this user end.`,
      verb: 'Set new password',
      failed: userMessages.change,
      done: 'Password changed',
      run: async () => {
        renewed = await (await trpc()).auth.users.renewPassword.mutate({ email })
      },
    })
    void askToDelete(describe, () => renewed && showPassword(renewed))
  }

  function askToResetSecondFactor({ email }: UserView) {
    const describe = async () => ({
      title: 'Reset the second factor?',
      text: `${email} can log in with the password alone. All sessions of this user end.`,
      verb: 'Reset',
      failed: userMessages.change,
      done: 'Second factor reset',
      run: async () => (await trpc()).auth.users.resetSecondFactor.mutate({ email }),
    })
    void askToDelete(describe, () => void query.refetch())
  }

  function askToRemove({ email }: UserView) {
    const moveFocus = prepareNeighbourFocus(document.getElementById(`user-${email}`)?.closest('li'))
    const describe = async () => ({
      title: 'Remove this user?',
      text: `${email} can no longer log in and moderates no board. What this user has posted stays.`,
      verb: 'Remove',
      failed: userMessages.remove,
      done: 'User removed',
      run: async () => (await trpc()).auth.users.delete.mutate({ email }),
    })
    void askToDelete(describe, () => void query.refetch().then(moveFocus))
  }

  return (
    <div className={styles.screen}>
      <div className={styles.bar}>
        <Button variant="primary" onClick={() => setAdding(true)}>
          <Plus className="icon" />
          Add User
        </Button>
      </div>
      {alert}
      <QueryResult query={query} failed={userMessages.load}>
        {(users) => (
          <Rows label="Users">
            {users.map((user) => {
              const { email, role } = user
              const isSelf = email === ownEmail
              const newRole = role === 'admin' ? 'member' : 'admin'
              return (
                <Row
                  key={email}
                  title={<span id={`user-${email}`}>{email}</span>}
                  facts={userFacts(user)}
                  actions={
                    <>
                      {!isSelf && (
                        <Button
                          size="small"
                          aria-describedby={`user-${email}`}
                          busy={busyKey === `role ${email}`}
                          onClick={() =>
                            act({
                              key: `role ${email}`,
                              run: (client) => client.auth.users.changeRole.mutate({ email, role: newRole }),
                              done: `${email} is now ${newRole}`,
                              failed: userMessages.change,
                            })
                          }
                        >
                          Make {newRole}
                        </Button>
                      )}
                      <Button size="small" aria-describedby={`user-${email}`} onClick={() => askForNewPassword(user)}>
                        New password
                      </Button>
                      <Button
                        size="small"
                        aria-describedby={`user-${email}`}
                        disabled={user.sessions === 0}
                        busy={busyKey === `sessions ${email}`}
                        onClick={() =>
                          act({
                            key: `sessions ${email}`,
                            run: (client) => client.auth.users.endSessions.mutate({ email }),
                            done: `Sessions of ${email} ended`,
                            failed: userMessages.change,
                          })
                        }
                      >
                        End sessions
                      </Button>
                      {user.hasSecondFactor && (
                        <Button
                          size="small"
                          aria-describedby={`user-${email}`}
                          onClick={() => askToResetSecondFactor(user)}
                        >
                          Reset second factor
                        </Button>
                      )}
                      <Button size="small" aria-describedby={`user-${email}`} onClick={() => openStreamer(user)}>
                        Streaming
                      </Button>
                      {!isSelf && (
                        <Button
                          size="small"
                          variant="danger"
                          aria-describedby={`user-${email}`}
                          onClick={() => askToRemove(user)}
                        >
                          Remove
                        </Button>
                      )}
                    </>
                  }
                />
              )
            })}
          </Rows>
        )}
      </QueryResult>
      <UserDialog open={isAdding} onClose={() => setAdding(false)} onAdded={showPassword} />
      <NewPasswordDialog
        created={password ?? streamPassword}
        isForStreaming={streamPassword !== null}
        onClose={() => {
          setPassword(null)
          setStreamPassword(null)
        }}
      />
      {streamerDialog}
      {confirmation}
    </div>
  )
}

function userFacts({ role, sessions, moderates, createdAt, hasSecondFactor, streamer }: UserView): Fact[] {
  const facts: Fact[] = [
    ['Role', role],
    ['Sessions', sessions],
    ['Since', <Time key="since" date={createdAt} />],
  ]
  if (hasSecondFactor) facts.push(['Second factor', 'yes'])
  if (streamer) facts.push(['Streams as', `${streamer.name}${streamer.isDisabled ? ' (disabled)' : ''}`])
  if (moderates.length > 0) facts.push(['Moderates', moderates.map((id) => `/${id}/`).join(' ')])
  return facts
}
