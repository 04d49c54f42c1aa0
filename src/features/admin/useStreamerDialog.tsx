import { useState } from 'react'
import { type StreamPassword, streamerMessages } from '#src/contract/streamer.ts'
import type { NewPassword, UserView } from '#src/contract/user.ts'
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
      title: 'New streaming password?',
      text: `The old password of ${email} stops working, and connected sources are disconnected.`,
      verb: 'Set new password',
      failed: streamerMessages.failed,
      done: 'Streaming password changed',
      run: async () => {
        renewed = await (await trpc()).streamer.renewPassword.mutate({ email })
      },
    })
    void askToDelete(describe, () => renewed && showPassword(renewed))
  }

  function askToRemove() {
    close()
    const describe = async () => ({
      title: 'Remove the streaming account?',
      text: `${email} can no longer stream, and the shows are removed from the schedule. Recordings and the user stay.`,
      verb: 'Remove',
      failed: streamerMessages.failed,
      done: 'Streaming account removed',
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
