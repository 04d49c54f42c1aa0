import { useState } from 'react'
import type { RecordedBroadcast } from '#src/contract/archive.ts'
import { t } from '#src/i18n/t.ts'
import { reloadTracklist } from '#src/lib/tracklists.ts'
import { trpc } from '#src/lib/trpc.ts'
import { toast } from '#src/ui/Toast.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import { loadCode } from '#src/ui/useLazyComponent.ts'
import type { RecordingDialog } from './RecordingDialog.tsx'

type Editing = { Dialog: typeof RecordingDialog; broadcast: RecordedBroadcast }

/** Loads the dialog when it first opens. @returns the dialogs, and a function that opens them for a recording */
export function useRecordingEditor(onChanged: () => void) {
  const [editing, setEditing] = useState<Editing | null>(null)
  const { dialog: deletion, askToDelete } = useDeletion()

  async function edit(broadcastId: number) {
    const loaded = await loadCode(() => Promise.all([import('./RecordingDialog.tsx'), reloadTracklist(broadcastId)]))
    if (!loaded) return
    const [{ RecordingDialog: Dialog }, broadcast] = loaded
    if (!broadcast) return toast(t('archive.tracklistFailed'))
    setEditing({ Dialog, broadcast })
  }

  function remove({ id }: RecordedBroadcast) {
    setEditing(null)
    const deletion = {
      title: t('archive.deleteQuestion'),
      text: t('archive.deleteText'),
      failed: t('archive.deleteFailed'),
      done: t('archive.deleted'),
      run: async () => (await trpc()).recording.delete.mutate({ id }),
    }
    void askToDelete(deletion, onChanged)
  }

  if (!editing) return { edit, dialogs: deletion }
  const { Dialog, broadcast } = editing
  const dialogs = (
    <>
      <Dialog
        broadcast={broadcast}
        onClose={() => setEditing(null)}
        onSaved={() => {
          void reloadTracklist(broadcast.id)
          onChanged()
        }}
        onDelete={() => remove(broadcast)}
      />
      {deletion}
    </>
  )
  return { edit, dialogs }
}
