import { useEffect, useState } from 'react'
import { trpc } from '#src/lib/trpc.ts'
import { Nick } from '#src/ui/Nick.tsx'
import { Time } from '#src/ui/Time.tsx'
import { useNow } from '#src/ui/useNow.ts'

type Upcoming = { next: { startsAt: Date; show: { title: string; streamer: string } } | null }

/** Shows the next show of the schedule, or a link to it. Asks again every minute; the server answers from memory. */
export function NextShow() {
  const [{ next }, setUpcoming] = useState<Upcoming>({ next: null })
  const now = useNow()

  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once per minute
  useEffect(() => {
    let isMounted = true
    trpc()
      .then(({ show }) => show.upcoming.query())
      .then(
        (upcoming) => isMounted && setUpcoming(upcoming),
        // Keeps the last answer: the rest of the player works without it.
        () => {},
      )
    return () => {
      isMounted = false
    }
  }, [now])

  if (!next) return <a href="/radio">See the schedule</a>
  return (
    <>
      <a href="/radio">{next.show.title}</a> with <Nick name={next.show.streamer} />, <Time date={next.startsAt} />
    </>
  )
}
