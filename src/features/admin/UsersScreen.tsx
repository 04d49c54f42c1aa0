import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { NewPassword, UserView } from '#src/contract/auth.ts'
import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { trpc } from '#src/lib/trpc.ts'
import { QueryRows } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Row, RowButton } from '#src/ui/admin/Rows.tsx'
import { useActions } from '#src/ui/admin/useActions.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Time } from '#src/ui/Time.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import { useStreamerDialog } from './StreamerDialog.tsx'
import styles from './screens.module.css'
import { NewPasswordDialog, roleLabels, type ShownPassword, UserDialog } from './UserDialog.tsx'

export function UsersScreen({ ownEmail }: { ownEmail: string | undefined }) {
  const query = usePrivateQuery(['users'], (client) => client.auth.users.list.query())
  const { action, deletion, alert, dialog: removal } = useActions(query.refetch)
  const { dialog: confirmation, askToDelete } = useDeletion()
  const [isAdding, setAdding] = useState(false)
  const [password, setPassword] = useState<ShownPassword | null>(null)
  const { dialog: streamerDialog, open: openStreamer } = useStreamerDialog({
    askToDelete,
    onChanged: () => void query.refetch(),
    onPassword: (created) => showPassword(created, true),
  })

  function showPassword(created: NewPassword, isForStreaming = false) {
    setAdding(false)
    setPassword({ ...created, isForStreaming })
    void query.refetch()
  }

  function askForNewPassword({ email }: UserView) {
    const deletion = {
      title: t('admin.newPasswordTitle'),
      text: t('admin.newPasswordText', { email }),
      verb: t('streamer.renewVerb'),
      failed: t('admin.userFailed'),
      done: t('account.passwordChanged'),
      run: async () => (await trpc()).auth.users.renewPassword.mutate({ email }),
    }
    void askToDelete(deletion, (renewed) => showPassword(renewed))
  }

  function askToResetSecondFactor({ email }: UserView) {
    const deletion = {
      title: t('admin.resetFactorTitle'),
      text: t('admin.resetFactorText', { email }),
      verb: t('admin.reset'),
      failed: t('admin.userFailed'),
      done: t('admin.resetFactorDone'),
      run: async () => (await trpc()).auth.users.resetSecondFactor.mutate({ email }),
    }
    void askToDelete(deletion, () => void query.refetch())
  }

  return (
    <div className="stack">
      <div className={`cluster ${styles.bar}`}>
        <Button variant="primary" onClick={() => setAdding(true)}>
          <Plus className="icon" />
          {t('admin.addUser')}
        </Button>
      </div>
      {alert}
      <QueryRows query={query} failed={t('admin.usersFailed')} label={t('admin.users')} items={(users) => users}>
        {(user) => {
          const { email, role } = user
          const isSelf = email === ownEmail
          const newRole = role === 'admin' ? 'member' : 'admin'
          return (
            <Row
              key={email}
              title={email}
              facts={userFacts(user)}
              actions={
                <>
                  {!isSelf && (
                    <RowButton
                      {...action({
                        key: `role ${email}`,
                        run: (client) => client.auth.users.changeRole.mutate({ email, role: newRole }),
                        done: newRole === 'admin' ? t('admin.nowAdmin', { email }) : t('admin.nowMember', { email }),
                        failed: t('admin.userFailed'),
                      })}
                    >
                      {newRole === 'admin' ? t('admin.makeAdmin') : t('admin.makeMember')}
                    </RowButton>
                  )}
                  <RowButton onClick={() => askForNewPassword(user)}>{t('account.newPassword')}</RowButton>
                  <RowButton
                    disabled={user.sessions === 0}
                    {...action({
                      key: `sessions ${email}`,
                      run: (client) => client.auth.users.endSessions.mutate({ email }),
                      done: t('admin.sessionsEnded', { email }),
                      failed: t('admin.userFailed'),
                    })}
                  >
                    {t('admin.endSessions')}
                  </RowButton>
                  {user.hasSecondFactor && (
                    <RowButton onClick={() => askToResetSecondFactor(user)}>{t('admin.resetFactor')}</RowButton>
                  )}
                  <RowButton onClick={() => openStreamer(user)}>{t('admin.streaming')}</RowButton>
                  {!isSelf && (
                    <RowButton
                      variant="danger"
                      {...deletion({
                        title: t('admin.removeUserTitle'),
                        text: t('admin.removeUserText', { email }),
                        verb: t('ui.remove'),
                        failed: t('admin.removeUserFailed'),
                        done: t('admin.userRemoved'),
                        run: (client) => client.auth.users.delete.mutate({ email }),
                      })}
                    >
                      {t('ui.remove')}
                    </RowButton>
                  )}
                </>
              }
            />
          )
        }}
      </QueryRows>
      {isAdding && <UserDialog onClose={() => setAdding(false)} onAdded={(created) => showPassword(created)} />}
      {streamerDialog}
      {password && <NewPasswordDialog created={password} onClose={() => setPassword(null)} />}
      {confirmation}
      {removal}
    </div>
  )
}

function userFacts({ role, sessions, moderates, createdAt, hasSecondFactor, streamer }: UserView): Fact[] {
  const facts: Fact[] = [
    [t('admin.role'), roleLabels[role]()],
    [t('account.sessions'), sessions],
    [t('moderation.since'), <Time key="since" date={createdAt} />],
  ]
  if (hasSecondFactor) facts.push([t('account.secondFactor'), t('admin.secondFactorYes')])
  if (streamer) {
    const { name, isDisabled } = streamer
    facts.push([t('admin.streamsAs'), isDisabled ? t('admin.disabledStreamer', { name }) : name])
  }
  if (moderates.length > 0) facts.push([t('admin.moderates'), moderates.map((id) => `/${id}/`).join(' ')])
  return facts
}
