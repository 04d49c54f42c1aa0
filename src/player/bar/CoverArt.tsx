import { Music } from 'lucide-react'
import { useState } from 'react'
import { cx } from '#src/ui/cx.ts'
import styles from './CoverArt.module.css'

/** `size` is the width in CSS pixels. */
type CoverArtProps = { path: string | null; title: string; size?: number; className?: string }

export function CoverArt({ path, title, size = 48, className }: CoverArtProps) {
  const [failed, setFailed] = useState<string | null>(null)
  if (!path || path === failed) {
    return (
      <span className={cx(styles.note, className)} role="img" aria-label="No cover">
        <Music className="icon" />
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
      alt={`Cover of ${title}`}
      decoding="async"
      onError={() => setFailed(path)}
    />
  )
}
