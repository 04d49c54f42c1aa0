import { useData } from 'vike-react/useData'
import { TryAgain } from '#pages/dataPage.tsx'
import { ConnectPanel } from '#src/features/site/ConnectPanel.tsx'
import { Features } from '#src/features/site/Features.tsx'
import { Hero } from '#src/features/site/Hero.tsx'
import { LatestNews, LatestThreads } from '#src/features/site/HomeLists.tsx'
import type { Data } from './+data.ts'
import { OnAirPlayer } from './OnAirPlayer.tsx'
import styles from './page.module.css'

export default function Page() {
  const { threads, articles, activity, nextShow, nowPlaying, isIncomplete } = useData<Data>()
  return (
    <>
      <Hero deck={<OnAirPlayer initial={nowPlaying} next={nextShow} />} activity={activity} />
      <div className={`wrap ${styles.lists}`}>
        <LatestThreads threads={threads} />
        <LatestNews articles={articles} />
        {isIncomplete && (
          <p>
            <TryAgain />
          </p>
        )}
      </div>
      <Features />
      <ConnectPanel />
    </>
  )
}
