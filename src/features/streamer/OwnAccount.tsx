import { useEffect, useRef, useState } from 'react'
import { type OwnStreamer, type StreamPassword, streamerMessages } from '#src/contract/streamer.ts'
import { trpc } from '#src/lib/trpc.ts'
import { Button } from '#src/ui/Button.tsx'
import { CopyTextButton } from '#src/ui/CopyButton.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import styles from './OwnAccount.module.css'
import sections from './sections.module.css'

/** The name of the streamer, and a new password on request. */
export function OwnAccount({ own: { name } }: { own: OwnStreamer }) {
  const [created, setCreated] = useState<StreamPassword | null>(null)
  const { dialog, askToDelete } = useDeletion()
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (created) input.current?.focus()
  }, [created])

  function askToRenew() {
    let renewed: StreamPassword | undefined
    const describe = async () => ({
      title: 'New streaming password?',
      text: 'The old password stops working, and your connected sources are disconnected.',
      verb: 'Set new password',
      failed: streamerMessages.failed,
      done: 'Streaming password changed',
      run: async () => {
        renewed = await (await trpc()).streamer.renewOwnPassword.mutate()
      },
    })
    void askToDelete(describe, () => renewed && setCreated(renewed))
  }

  return (
    <div className={sections.stack}>
      <p className={sections.text}>
        Listeners see you as <Nick name={name} />. Admins change the name.
      </p>
      {created && (
        <Field label="Streaming password" hint="Shown only once. Enter it in your program now.">
          <div className={styles.secret}>
            <TextInput
              mono
              readOnly
              ref={input}
              value={created.password}
              onFocus={({ target }: { target: HTMLInputElement }) => target.select()}
            />
            <CopyTextButton text={created.password} label="Copy" />
          </div>
        </Field>
      )}
      <div>
        <Button onClick={askToRenew}>New password</Button>
      </div>
      {dialog}
    </div>
  )
}
