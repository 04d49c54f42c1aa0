import { ArrowDown } from 'lucide-react'
import { Button } from '#src/ui/Button.tsx'
import styles from './Arrivals.module.css'

type ArrivalsProps = { below: readonly number[]; announcement: string }

/** Tells of posts that came while the page was shown: aloud to screen readers, with a key to those further down. */
export function Arrivals({ below, announcement }: ArrivalsProps) {
  const [first] = below
  return (
    <>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {first !== undefined && (
        <Button
          variant="primary"
          size="small"
          className={styles.pill}
          onClick={() => document.getElementById(`p${first}`)?.scrollIntoView({ block: 'start', behavior: 'smooth' })}
        >
          <ArrowDown className="icon icon-s" />
          {below.length} new
        </Button>
      )}
    </>
  )
}
