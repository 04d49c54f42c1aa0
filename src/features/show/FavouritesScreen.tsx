import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type Favourite, favouriteMessages } from '#src/lib/favouriteFile.ts'
import { favouriteKey, favourites, followFavourites, removeFavourite } from '#src/lib/favourites.ts'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { FavouriteRow } from './FavouriteRow.tsx'
import styles from './FavouritesScreen.module.css'
import { downloadFavourites, ImportFavourites } from './ImportFavourites.tsx'

/** Lists the tracks that the listener has marked. They stay in this browser, so the server's HTML has no list. */
export function FavouritesScreen() {
  const isHydrated = useHydrated()
  useEffect(() => followFavourites(), [])
  return (
    <div className="wrap">
      <PageHeader
        trail={[{ label: 'Home', href: '/' }, { label: 'Favourites' }]}
        title="Favourites"
        lead="Tracks that you have marked in the player. The list stays in this browser."
      />
      <noscript>
        <p className={styles.tools}>
          This page needs JavaScript: your browser keeps the list, so our server never sees it.
        </p>
      </noscript>
      {isHydrated && <FavouriteList />}
    </div>
  )
}

function FavouriteList() {
  const list = favourites.useValue()
  const [query, setQuery] = useState('')
  const count = useRef<HTMLParagraphElement>(null)
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = list.filter(({ artist, title, recording }) => {
    const text = `${artist} ${title} ${recording?.title ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })

  function remove(track: Favourite) {
    removeFavourite(track)
    // The focused button disappears.
    count.current?.focus()
  }

  return (
    <>
      <div className={styles.tools}>
        {list.length > 0 && (
          <>
            <search className={styles.search}>
              <SearchField
                aria-label="Search favourites"
                placeholder="Artist or title"
                autoComplete="off"
                value={query}
                onChange={(event) => setQuery(event.target.value)}
              />
            </search>
            <Button onClick={() => downloadFavourites(list, 'json')}>
              <Download className="icon" />
              Export JSON
            </Button>
            <Button onClick={() => downloadFavourites(list, 'txt')}>
              <Download className="icon" />
              Export text
            </Button>
          </>
        )}
        <ImportFavourites />
      </div>
      <p ref={count} className={styles.count} role="status" tabIndex={-1}>
        {shown.length === 1 ? '1 track' : `${shown.length} tracks`}
      </p>
      {shown.length === 0 ? (
        <EmptyState>{list.length === 0 ? favouriteMessages.none : favouriteMessages.noMatch}</EmptyState>
      ) : (
        <ul className={styles.list}>
          {shown.map((track) => (
            <FavouriteRow key={favouriteKey(track)} track={track} onRemove={() => remove(track)} />
          ))}
        </ul>
      )}
    </>
  )
}
