import { useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { addFavourites, favouriteLimits, parseFavouritesFile } from '#src/lib/favourites.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { FileButton } from '#src/ui/FileButton.tsx'
import { toast } from '#src/ui/Toast.tsx'
import styles from './ImportFavourites.module.css'

/** Adds the tracks of an exported file. */
export function ImportFavourites() {
  const [failure, setFailure] = useState<string | null>(null)

  async function readFile(file: File) {
    try {
      if (file.size > favouriteLimits.fileBytes) throw new Error(t('show.fileTooLarge'))
      const added = addFavourites(parseFavouritesFile(await file.text()))
      setFailure(null)
      toast(t('show.favouritesAdded', { count: added }))
    } catch (error) {
      setFailure(error instanceof Error ? error.message : t('show.notFavourites'))
    }
  }

  return (
    <>
      <FileButton label={t('show.import')} accept="application/json,.json" onFile={(file) => void readFile(file)} />
      {failure !== null && (
        <div className={styles.failure}>
          <Alert onDismiss={() => setFailure(null)}>{failure}</Alert>
        </div>
      )}
    </>
  )
}
