import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { SONG_REQUESTS_PATH } from '#src/contract/radio.ts'
import { type FoundTrack, SONG_REQUESTS_CALL, songRequestLimits, songRequestsPath } from '#src/contract/songRequest.ts'
import { rich, t } from '#src/i18n/t.ts'
import { formatClockTime } from '#src/lib/formatTime.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { MultipartForm } from '#src/ui/MultipartForm.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { Time } from '#src/ui/Time.tsx'
import { toast } from '#src/ui/Toast.tsx'
import styles from './Songs.module.css'
import { TrackName } from './TrackName.tsx'

type SongSearchProps = {
  query: string
  tracks: FoundTrack[]
  refusal: string | null
}

/** Finds and requests tracks. Without script, the forms request pages. */
export function SongSearch({ query: initialQuery, tracks: initialTracks, refusal: initialRefusal }: SongSearchProps) {
  const { query, setQuery, tracks, failure, searchAgain } = useSongSearch(initialQuery, initialTracks)
  const [refusal, setRefusal] = useState(initialRefusal)
  const [busyId, setBusyId] = useState<number | null>(null)
  const problem = refusal ?? failure

  async function request(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent
    const trackId = Number(submitter instanceof HTMLButtonElement ? submitter.value : Number.NaN)
    setBusyId(trackId)
    setRefusal(null)
    try {
      const { title } = await (await trpc()).songRequest.create.mutate({ trackId })
      toast(t('show.requested', { title }))
    } catch (error) {
      setRefusal(errorText(error, t('show.requestFailed')))
    }
    await searchAgain()
    setBusyId(null)
  }

  return (
    <>
      <search>
        <form
          className={cx('stack', styles.search)}
          action={SONG_REQUESTS_PATH}
          onSubmit={(event) => event.preventDefault()}
        >
          <SearchField
            name="q"
            aria-label={t('show.searchTrack')}
            placeholder={t('show.artistOrTitle')}
            autoComplete="off"
            enterKeyHint="search"
            maxLength={songRequestLimits.query}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value)
              setRefusal(null)
            }}
          />
          <Button native type="submit" className={styles.submit}>
            {t('ui.search')}
          </Button>
        </form>
      </search>
      {problem !== null && (
        <div className={styles.refusal}>
          <Alert>{problem}</Alert>
        </div>
      )}
      <p className="visually-hidden" role="status">
        {t('show.tracks', { count: tracks.length })}
      </p>
      {tracks.length === 0 ? (
        <p className={styles.none}>{t('radio.requestNoMatch')}</p>
      ) : (
        <MultipartForm action={SONG_REQUESTS_CALL} onSubmit={request}>
          <input type="hidden" name="q" value={query} />
          <FoundTracks tracks={tracks} busyId={busyId} />
        </MultipartForm>
      )}
    </>
  )
}

/** Lists tracks with buttons that send the form around the list. */
function FoundTracks({ tracks, busyId }: { tracks: FoundTrack[]; busyId: number | null }) {
  return (
    <ul className={cx('ruled', styles.list, styles.tracks)}>
      {tracks.map((track) => (
        <li key={track.id}>
          <TrackName {...track} />
          <span className="data">{formatClockTime(track.seconds)}</span>
          {track.availableAt ? (
            <span className={cx('data', styles.later)}>
              <AvailableAgain at={track.availableAt} />
            </span>
          ) : (
            <Button
              native
              type="submit"
              size="small"
              name="trackId"
              value={track.id}
              busy={busyId === track.id}
              disabled={busyId !== null}
              aria-label={t('show.requestTrack', { title: track.title })}
            >
              {t('show.request')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Shows the exact time: 'in 1 h' can mean almost two hours. */
const AvailableAgain = ({ at }: { at: Date }) => rich('show.availableAgain', { time: () => <Time date={at} /> })

/** Limits the requests to the server while the visitor types. */
const SEARCH_DELAY_MS = 250

/** Searches while the visitor types. */
function useSongSearch(initialQuery: string, initialTracks: FoundTrack[]) {
  const [query, setQuery] = useState(initialQuery)
  const [tracks, setTracks] = useState(initialTracks)
  const [failure, setFailure] = useState<string | null>(null)
  const searched = useRef(initialQuery)
  const lastSearch = useRef(0)

  async function search() {
    const id = ++lastSearch.current
    const [found, failure] = await trpc()
      .then((calls) => calls.songRequest.tracks.query({ q: query }))
      .then(
        (found) => [found, null] as const,
        (error) => [null, errorText(error, t('show.searchFailed'))] as const,
      )
    // Answers can arrive in another order.
    if (id !== lastSearch.current) return
    if (found) setTracks(found)
    setFailure(failure)
  }

  const searchSoon = useEffectEvent(() => {
    searched.current = query
    history.replaceState(history.state, '', songRequestsPath(query.trim()))
    void search()
  })
  useEffect(() => {
    if (query === searched.current) return
    const timer = setTimeout(() => searchSoon(), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [query])

  return { query, setQuery, tracks, failure, searchAgain: search }
}
