import { ConnectPanel } from '#src/features/site/ConnectPanel.tsx'
import { Features } from '#src/features/site/Features.tsx'
import { Hero } from '#src/features/site/Hero.tsx'

export default function Page() {
  return (
    <>
      <Hero />
      <Features />
      <ConnectPanel />
    </>
  )
}
