import { Download, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { rich, t } from '#src/i18n/t.ts'
import { downloadFile } from '#src/lib/downloadFile.ts'
import {
  addFavourites,
  type Favourite,
  favouriteKey,
  favouriteLimits,
  favourites,
  favouritesAsJson,
  favouritesAsText,
  parseFavouritesFile,
  removeFavourite,
} from '#src/lib/favourites.ts'
import { focusInView } from '#src/lib/focus.ts'
import { formatClockTime } from '#src/lib/formatTime.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FileButton } from '#src/ui/FileButton.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { Time } from '#src/ui/Time.tsx'
import { toast } from '#src/ui/Toast.tsx'
import styles from './Songs.module.css'
import { TrackName } from './TrackName.tsx'

/** Lists the tracks that the listener has marked. They stay in this browser, so the server's HTML has no list. */
export function FavouritesScreen() {
  const isHydrated = useHydrated()
  return (
    <div className="wrap">
      <PageHeader
        trail={[{ label: t('ui.home'), href: '/' }, { label: t('show.favourites') }]}
        title={t('show.favourites')}
        lead={t('show.favouritesLead')}
      />
      <noscript>
        <p className={`cluster ${styles.tools}`}>{t('show.favouritesUnscripted')}</p>
      </noscript>
      {isHydrated && <FavouriteList />}
    </div>
  )
}

function FavouriteList() {
  const list = favourites.useValue()
  const [query, setQuery] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const count = useRef<HTMLParagraphElement>(null)
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = list.filter(({ artist, title, recording }) => {
    const text = `${artist} ${title} ${recording?.title ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })

  function remove(track: Favourite) {
    removeFavourite(track)
    // The focused button disappears.
    focusInView(count.current)
  }

  /** Adds the tracks of an exported file. */
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

  const importButton = (
    <FileButton label={t('show.import')} accept="application/json,.json" onFile={(file) => void readFile(file)} />
  )
  return (
    <>
      {list.length > 0 && (
        <div className={`cluster ${styles.tools}`}>
          <search className={styles.find}>
            <SearchField
              aria-label={t('show.searchFavourites')}
              placeholder={t('show.artistOrTitle')}
              autoComplete="off"
              value={query}
              onChange={(event) => setQuery(event.target.value)}
            />
          </search>
          <Button onClick={() => downloadFile('favourites.json', favouritesAsJson(list), 'application/json')}>
            <Download className="icon" />
            {t('show.exportJson')}
          </Button>
          <Button onClick={() => downloadFile('favourites.txt', favouritesAsText(list), 'text/plain')}>
            <Download className="icon" />
            {t('show.exportText')}
          </Button>
          {importButton}
        </div>
      )}
      {failure !== null && <Alert onDismiss={() => setFailure(null)}>{failure}</Alert>}
      <p
        ref={count}
        className={list.length === 0 ? 'visually-hidden' : `data ${styles.count}`}
        role="status"
        tabIndex={-1}
      >
        {t('show.tracks', { count: shown.length })}
      </p>
      {shown.length === 0 ? (
        <EmptyState action={list.length === 0 && importButton}>
          {list.length === 0 ? t('show.noFavourites') : t('show.noFavouriteMatches')}
        </EmptyState>
      ) : (
        <ul className={cx('ruled', styles.list)}>
          {shown.map((track) => (
            <FavouriteRow key={favouriteKey(track)} track={track} onRemove={() => remove(track)} />
          ))}
        </ul>
      )}
    </>
  )
}

function FavouriteRow({ track, onRemove }: { track: Favourite; onRemove: () => void }) {
  return (
    <li className={styles.row}>
      <TrackName {...track} />
      <span className={cx('data', styles.place)}>
        <Time date={track.savedAt} />
        <Place {...track} />
      </span>
      <IconButton icon={Trash2} danger label={t('show.removeFavourite', { title: track.title })} onClick={onRemove} />
    </li>
  )
}

function Place({ station, recording }: Favourite) {
  if (!recording) return <bdi>{station}</bdi>
  return (
    <a href={`/archive#streamer-${recording.streamerId}`}>
      {rich('show.favouritePlace', {
        title: recording.title,
        time: formatClockTime(recording.seconds),
        name: (text) => <bdi>{text}</bdi>,
      })}
    </a>
  )
}
