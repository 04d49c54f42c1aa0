import { Music } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { hueOf } from '#src/lib/hueOf.ts'
import { cx } from '#src/ui/cx.ts'
import styles from './CoverArt.module.css'

/** `size` is the width in CSS pixels. */
type CoverArtProps = {
  path: string | null
  title: string
  streamer?: string | null
  size?: number
  className?: string
}

/** Shows the cover of a song. A recording has none, so it shows the first letter of its streamer. */
export function CoverArt({ path, title, streamer, size = 48, className }: CoverArtProps) {
  const [failed, setFailed] = useState<string | null>(null)
  if (!path || path === failed) {
    return (
      <span
        className={cx(styles.note, className)}
        role="img"
        aria-label={t('player.noCover')}
        data-hue={streamer ? hueOf(streamer) : undefined}
      >
        {streamer ? [...streamer][0]?.toUpperCase() : <Music className="icon" />}
      </span>
    )
  }
  return (
    <img
      className={cx(styles.art, className)}
      src={path}
      srcSet={`${path}/small 128w, ${path} 512w`}
      sizes={`${size}px`}
      // Sets the size in case the stylesheet is missing.
      width={48}
      height={48}
      alt={t('player.coverOf', { title })}
      decoding="async"
      onError={() => setFailed(path)}
    />
  )
}
