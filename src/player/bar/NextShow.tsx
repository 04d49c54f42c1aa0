import { useEffect, useState } from 'react'
import { rich, t } from '#src/i18n/t.ts'
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

  if (!next) return <a href="/radio">{t('player.seeSchedule')}</a>
  const { title, streamer: name } = next.show
  return rich('player.nextShow', {
    title,
    name,
    link: (text) => <a href="/radio">{text}</a>,
    nick: () => <Nick name={name} />,
    time: () => <Time date={next.startsAt} />,
  })
}
