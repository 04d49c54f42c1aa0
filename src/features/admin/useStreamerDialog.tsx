import { useState } from 'react'
import type { StreamPassword } from '#src/contract/streamer.ts'
import type { NewPassword, UserView } from '#src/contract/user.ts'
import { t } from '#src/i18n/t.ts'
import { trpc } from '#src/lib/trpc.ts'
import type { useDeletion } from '#src/ui/useDeletion.tsx'
import { StreamerDialog } from './StreamerDialog.tsx'

type Opened = { user: UserView; opening: number; isOpen: boolean }

type Handlers = {
  askToDelete: ReturnType<typeof useDeletion>['askToDelete']
  onChanged: () => void
  onPassword: (created: NewPassword) => void
}

/** Returns the `dialog` of streaming accounts, and `open`, which opens it for a user. */
export function useStreamerDialog({ askToDelete, onChanged, onPassword }: Handlers) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const open = (user: UserView) => setOpened((before) => ({ user, opening: (before?.opening ?? 0) + 1, isOpen: true }))
  const close = () => setOpened((before) => before && { ...before, isOpen: false })
  if (!opened) return { dialog: null, open }

  const { email } = opened.user
  const showPassword = ({ password }: StreamPassword) => onPassword({ email, password })

  function askToRenew() {
    close()
    let renewed: StreamPassword | undefined
    const describe = async () => ({
      title: t('admin.newStreamPasswordTitle'),
      text: t('admin.newStreamPasswordText', { email }),
      verb: t('admin.setPassword'),
      failed: t('admin.streamerFailed'),
      done: t('admin.streamPasswordChanged'),
      run: async () => {
        renewed = await (await trpc()).streamer.renewPassword.mutate({ email })
      },
    })
    void askToDelete(describe, () => renewed && showPassword(renewed))
  }

  function askToRemove() {
    close()
    const describe = async () => ({
      title: t('admin.removeStreamerTitle'),
      text: t('admin.removeStreamerText', { email }),
      verb: t('ui.remove'),
      failed: t('admin.streamerFailed'),
      done: t('admin.streamerRemoved'),
      run: async () => (await trpc()).streamer.remove.mutate({ email }),
    })
    void askToDelete(describe, onChanged)
  }

  const dialog = (
    <StreamerDialog
      key={opened.opening}
      user={opened.user}
      open={opened.isOpen}
      onClose={close}
      onChanged={onChanged}
      onPassword={showPassword}
      onRenew={askToRenew}
      onRemove={askToRemove}
    />
  )
  return { dialog, open }
}
