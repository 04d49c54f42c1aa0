import { useEffect, useRef, useState } from 'react'
import type { OwnStreamer, StreamPassword } from '#src/contract/streamer.ts'
import { rich, t } from '#src/i18n/t.ts'
import { focusInView } from '#src/lib/focus.ts'
import { trpc } from '#src/lib/trpc.ts'
import { Button } from '#src/ui/Button.tsx'
import { CopyTextButton } from '#src/ui/CopyButton.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'

/** The name of the streamer, and a new password on request. */
export function OwnAccount({ own: { name } }: { own: OwnStreamer }) {
  const [created, setCreated] = useState<StreamPassword | null>(null)
  const { dialog, askToDelete } = useDeletion()
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (created) focusInView(input.current)
  }, [created])

  function askToRenew() {
    const deletion = {
      title: t('streamer.renewQuestion'),
      text: t('streamer.renewText'),
      verb: t('streamer.renewVerb'),
      failed: t('streamer.renewFailed'),
      done: t('streamer.renewed'),
      run: async () => (await trpc()).streamer.renewOwnPassword.mutate(),
    }
    void askToDelete(deletion, setCreated)
  }

  return (
    <div className="stack">
      <p className="quiet">{rich('streamer.ownName', { name, nick: () => <Nick name={name} /> })}</p>
      {created && (
        <Field label={t('streamer.streamingPassword')} hint={t('streamer.streamingPasswordHint')}>
          <div className="cluster">
            <TextInput
              mono
              readOnly
              ref={input}
              value={created.password}
              onFocus={({ target }: { target: HTMLInputElement }) => target.select()}
            />
            <CopyTextButton text={created.password} label={t('ui.copy')} />
          </div>
        </Field>
      )}
      <div>
        <Button onClick={askToRenew}>{t('account.newPassword')}</Button>
      </div>
      {dialog}
    </div>
  )
}
